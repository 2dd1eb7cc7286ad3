/// One way in which a server lets a client identify itself: an element of WWW-Authenticate
/// (RFC 9110 §11.6.1).
public struct Challenge: Sendable, Hashable {
    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// The name; its case does not matter.
        public let name: String
        /// The value, without quotes.
        public let value: String
        /// Whether it is to be sent in quotes, though it need not.
        public let isQuoted: Bool

        /// A parameter; `name` has to be a token.
        public init(_ name: String, _ value: String, isQuoted: Bool = true) {
            precondition(name.utf8.allSatisfy { ASCII.isToken($0) }, "the name is no token")
            self.name = name
            self.value = value
            self.isQuoted = isQuoted
        }
    }

    /// What follows the scheme.
    public enum Content: Sendable, Hashable {
        /// Parameters, perhaps none.
        case parameters([Parameter])
        /// Text in the manner of base 64.
        case token(String)
    }

    /// The name of the scheme; its case does not matter.
    public let scheme: String
    /// What follows it.
    public let content: Content

    /// A challenge with parameters; `scheme` has to be a token.
    public init(scheme: String, parameters: [Parameter]) {
        self.init(scheme, .parameters(parameters))
    }

    init(_ scheme: String, _ content: Content) {
        precondition(
            !scheme.isEmpty && scheme.utf8.allSatisfy { ASCII.isToken($0) },
            "the scheme is no token")
        self.scheme = scheme
        self.content = content
    }

    /// The value of a parameter, its name in any case of letters.
    public func parameter(_ name: String) -> String? {
        guard case .parameters(let parameters) = content else { return nil }
        return parameters.first { $0.name.lowercasedASCII == name.lowercasedASCII }?.value
    }

    /// Whether it is for that scheme, in any case of letters.
    public func isFor(scheme name: String) -> Bool {
        scheme.lowercasedASCII == name.lowercasedASCII
    }
}

extension Challenge: CustomStringConvertible {
    /// The challenge as it is sent.
    public var description: String {
        switch content {
        case .token(let token):
            return scheme + " " + token
        case .parameters(let parameters):
            let list = parameters.map(\.description).joined(separator: ", ")
            return list.isEmpty ? scheme : scheme + " " + list
        }
    }
}

extension Challenge.Parameter: CustomStringConvertible {
    /// The parameter as it is sent; a value that is no token is quoted in any case.
    public var description: String {
        let isToken = !value.isEmpty && value.utf8.allSatisfy { ASCII.isToken($0) }
        return name + "=" + (isToken && !isQuoted ? value : ParameterScanner.quoted(value))
    }
}
