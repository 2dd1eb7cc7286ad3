public import WharfHTTP

/// A request as a handler sees it.
public struct Request: Sendable {
    /// Method, target and fields.
    public var head: HTTPRequest {
        get { received.request }
        set { received.request = newValue }
    }
    /// What the route's pattern found in the path.
    public internal(set) var parameters = Parameters()
    /// The body, read as it arrives.
    public let body: HTTPBody
    /// Who sent it.
    public var peer: Peer { exchange.peer }
    /// What a mounted handler's path begins with: `/dav`, or an empty text at the root.
    public internal(set) var mountPath = ""

    /// The head with what it says about body and connection.
    ///
    /// Kept whole: taking it apart would copy every part of it.
    private(set) var received: HTTPRequestHead
    let exchange: ConnectionIdentity
    private var context: [ObjectIdentifier: any Sendable]?

    init(_ received: consuming HTTPRequestHead, body: HTTPBody, exchange: ConnectionIdentity) {
        self.received = received
        self.body = body
        self.exchange = exchange
    }

    /// The method.
    public var method: HTTPRequest.Method { received.request.method }

    /// The fields.
    public var fields: HTTPFields { received.request.headerFields }

    /// The path as it was sent, percent-encoded, without the query; `*` and authorities as they are.
    public var path: Substring {
        let target = received.request.path ?? ""
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        return target[..<end]
    }

    /// The target as it was sent: a path with its query, or what CONNECT asks for.
    var target: String { received.request.path ?? received.request.authority ?? "*" }

    /// Whether it is of HTTP/1.1 and asks for another protocol (RFC 9110 §7.8).
    package var mayUpgrade: Bool { received.hasUpgrade }

    /// Who asked for what: the start of lines in the log.
    var place: String { "\(clientAddress): \(method) \(target)" }

    /// The query as it was sent, without its question mark; `nil` when there is none.
    public var query: Substring? {
        guard let target = received.request.path,
            let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return nil }
        return target[target.utf8.index(after: mark)...]
    }

    /// Where the request belongs in a trace; `nil` if it says nothing of that, or nothing valid.
    ///
    /// What vendors add to it is the field `tracestate`.
    public var traceContext: TraceContext? {
        let values = fields[values: .traceParent]
        return values.count == 1 ? TraceContext(values[0]) : nil
    }

    /// Takes over what middlewares left with another request.
    mutating func copyContext(of other: Request) { context = other.context }

    /// A value that a middleware left for those after it.
    public subscript<Key: RequestKey>(_ key: Key.Type) -> Key.Value? {
        get { context?[ObjectIdentifier(key)] as? Key.Value }
        set { context = (context ?? [:]).setting(ObjectIdentifier(key), to: newValue) }
    }
}

/// Names a value that travels with a ``Request``.
public protocol RequestKey {
    /// The type of the value.
    associatedtype Value: Sendable
}

extension Dictionary {
    fileprivate func setting(_ key: Key, to value: Value?) -> Self {
        var copy = self
        copy[key] = value
        return copy
    }
}
