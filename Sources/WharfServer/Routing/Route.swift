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

    /// HEAD runs GET's route.
    func answers(_ wanted: HTTPRequest.Method) -> Bool {
        guard let method else { return true }
        return method == wanted || (wanted == .head && method == .get)
    }
}

extension Route: CustomStringConvertible {
    var description: String {
        let name = method?.rawValue ?? "any method"
        switch match {
        case .pattern(let pattern): return "\(name) \(pattern.text)\(pattern.isMount ? "/..." : "")"
        case .closure: return "\(name), a match closure"
        }
    }
}
