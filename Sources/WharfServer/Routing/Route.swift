import WharfHTTP

/// Names a route, to remove it.
public struct RouteID: Sendable, Hashable {
    let number: UInt64
}

/// One entry of a router.
final class Route: Sendable {
    enum Match: Sendable {
        case pattern(RoutePattern)
        case closure(@Sendable (HTTPRequest) -> Bool)
    }

    enum Action: Sendable {
        case inline(@Sendable (Request) throws -> Response)
        case async(Execution, @Sendable (Request) async throws -> Response)
    }

    let id: RouteID
    /// `nil`: any.
    let method: HTTPRequest.Method?
    let match: Match
    let action: Action
    /// Bytes; `nil`: the server's default.
    let bodyMax: Int64?
    let middleware: [any HTTPMiddleware]

    init(
        id: RouteID, method: HTTPRequest.Method?, match: Match, action: Action, bodyMax: Int64?,
        middleware: [any HTTPMiddleware]
    ) {
        self.id = id
        self.method = method
        self.match = match
        self.action = action
        self.bodyMax = bodyMax
        self.middleware = middleware
    }

    /// Whether it answers a method: HEAD runs GET's route.
    func answers(_ wanted: HTTPRequest.Method) -> Bool {
        if let method { return method == wanted || (wanted == .head && method == .get) }
        switch match {
        case .closure: return true
        case .pattern(let pattern):
            // RFC 9110 §9.3.8: an answer that repeats a TRACE shows its fields to others. Only a
            // mounted handler, and a route that names the method, is asked.
            return wanted != .trace || pattern.isPrefix
        }
    }

    /// Where its handler runs.
    var execution: Execution {
        if case .async(let execution, _) = action { execution } else { .loop }
    }

    /// The prefix of a path that it is mounted at: its own text, or what was sent in the place of
    /// its names.
    func mountPath(in path: Substring) -> String {
        guard case .pattern(let pattern) = match, pattern.isPrefix else { return "" }
        guard !pattern.isLiteral else { return pattern.text }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let end = parts[min(pattern.segments.count, parts.count - 1)].endIndex
        return String(path[..<end])
    }

    /// What it finds in a request's path, which is `nil` if that is none that patterns can fit;
    /// `nil` if it does not fit.
    func match(_ head: HTTPRequest, _ path: RoutePath?) -> Parameters? {
        switch match {
        case .pattern(let pattern): path.flatMap(pattern.match)
        case .closure(let matches): matches(head) ? Parameters() : nil
        }
    }
}

extension Route: CustomStringConvertible {
    var description: String {
        let name = method?.rawValue ?? "any method"
        switch match {
        case .pattern(let pattern):
            return "\(name) \(pattern.text)\(pattern.isPrefix ? "/..." : "")"
        case .closure: return "\(name), a match closure"
        }
    }
}
