/// A media type with its parameters (RFC 9110 §8.3).
public struct MediaType: Sendable, Hashable {
    /// The part before the slash, in lower case.
    public let type: String

    /// The part after the slash, in lower case.
    public let subtype: String

    /// The parameters in their order, names in lower case.
    ///
    /// Values keep their case.
    public let parameters: [Parameter]

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// The value without quotes.
        public let value: String
    }

    /// Type and subtype, `text/html`.
    public var essence: String { type + "/" + subtype }

    /// The value of a parameter; the name in lower case.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Reads a media type, or returns nil if it is malformed.
    ///
    /// Of a parameter that comes twice, ``parameter(_:)`` answers with the first.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var scanner = ParameterScanner(bytes)
        scanner.skipWhitespace()
        guard let type = scanner.token(), scanner.take(ASCII.slash), let subtype = scanner.token()
        else { return nil }
        var parameters: [Parameter] = []
        while true {
            scanner.skipWhitespace()
            if scanner.isAtEnd { break }
            guard scanner.take(ASCII.semicolon) else { return nil }
            scanner.skipWhitespace()
            // RFC 9110 §5.6.6: an empty parameter is allowed.
            if scanner.isAtEnd || scanner.next == ASCII.semicolon { continue }
            guard parameters.count < 32, let parameter = scanner.parameter() else { return nil }
            parameters.append(
                Parameter(name: parameter.name.lowercasedASCII, value: parameter.value))
        }
        self.type = type.lowercasedASCII
        self.subtype = subtype.lowercasedASCII
        self.parameters = parameters
    }
}

extension MediaType: CustomStringConvertible {
    /// The media type as it is sent; values are quoted where they must be.
    public var description: String {
        parameters.reduce(essence) { text, parameter in
            let isToken =
                !parameter.value.isEmpty && parameter.value.utf8.allSatisfy { ASCII.isToken($0) }
            let value = isToken ? parameter.value : ParameterScanner.quoted(parameter.value)
            return text + "; " + parameter.name + "=" + value
        }
    }
}
