/// The head of a request: what is asked of what, and the fields.
///
/// The body travels beside it.
public struct HTTPRequest: Sendable, Hashable {
    /// The method.
    public var method: Method

    /// `http` or `https`, where it is known: a request line seldom states it.
    public var scheme: String?

    /// Host and port, of the target if it states them, else of the Host field.
    ///
    /// Setting it to nil lets the Host field speak.
    public var authority: String? {
        get { statedAuthority ?? headerFields[.host] }
        set { statedAuthority = newValue }
    }

    /// The path with its query, as sent: percent-encoded.
    ///
    /// Nil for CONNECT.
    public var path: String?

    /// The fields.
    public var headerFields: HTTPFields

    /// What the target says of host and port; a head that is read makes no text of its Host field.
    var statedAuthority: String?
}

extension HTTPRequest {
    // In an extension, so that the parser has the memberwise one, which copies nothing.

    /// A request head.
    public init(
        method: Method, scheme: String?, authority: String?, path: String?,
        headerFields: HTTPFields = [:]
    ) {
        self.init(
            method: method, scheme: scheme, path: path, headerFields: headerFields,
            statedAuthority: authority)
    }

    /// Whether two heads say the same, wherever they name the host.
    public static func == (left: Self, right: Self) -> Bool {
        left.method == right.method && left.scheme == right.scheme
            && left.authority == right.authority && left.path == right.path
            && left.headerFields == right.headerFields
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(scheme)
        hasher.combine(authority)
        hasher.combine(path)
        hasher.combine(headerFields)
    }
}
