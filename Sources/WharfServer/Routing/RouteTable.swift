import WharfHTTP

/// All routes at one moment: what requests read while the router changes.
final class RouteTable: Sendable {
    /// What answers a request.
    struct Found {
        let route: Route
        var parameters = Parameters()
        var mountPath = ""
    }

    let index: RouteIndex
    /// The middlewares of answers that belong to no route: a 404's.
    private let middleware: [any HTTPMiddleware]

    init(_ index: RouteIndex, middleware: [any HTTPMiddleware] = []) {
        self.index = index
        self.middleware = middleware
    }

    /// Finds what answers; when no route does, it is an answer of the router's own.
    func find(_ head: HTTPRequest) -> Found {
        if let route = index.plainRoute(head) { return Found(route: route) }
        let target = RouteTarget(head, ignoresCase: index.ignoresCase)
        if let (route, parameters) = index.find(head, target) {
            return Found(route: route, parameters: parameters, mountPath: route.mountPath(head))
        }
        return Found(route: ownAnswer(to: head, target))
    }

    // MARK: The router's own answers

    /// What is answered when no route answers: errors, and OPTIONS where no route has it.
    private func ownAnswer(to head: HTTPRequest, _ target: RouteTarget) -> Route {
        guard index.implements(head.method) else {
            return refusal(HTTPError(.notImplemented, reason: "unknown method"))
        }
        // RFC 9110 §9.3.7: `*` asks about the server in general.
        if head.path == "*" { return allowance(index.methods) }
        if target.isMalformed {
            return refusal(
                HTTPError(.badRequest, reason: "the path has a malformed escape or a dot segment"))
        }
        let known = index.routes(fitting: target, head)
        guard let first = known.first else { return refusal(HTTPError(.notFound)) }
        let methods = known.flatMap(\.allowedMethods)
        if head.method == .options { return allowance(methods, like: first) }
        // RFC 9110 §15.5.6: a 405 says what is allowed.
        let fields: HTTPFields = [.allow: Self.allow(methods)]
        return refusal(HTTPError(.methodNotAllowed, fields: fields), like: first)
    }

    private func refusal(_ error: HTTPError, like route: Route? = nil) -> Route {
        answer(like: route) { throw error }
    }

    private func allowance(_ methods: [HTTPRequest.Method], like route: Route? = nil) -> Route {
        let response = Response(status: .noContent, fields: [.allow: Self.allow(methods)])
        return answer(like: route) { response }
    }

    /// A route for an answer that passes the middlewares of another, or those of the router, where
    /// those run.
    private func answer(
        like route: Route?, _ respond: @escaping @Sendable () throws -> Response
    ) -> Route {
        let middleware = route?.middleware ?? middleware
        let action: Route.Action
        if middleware.isEmpty {
            action = .inline { _ in try respond() }
        } else {
            action = .async(route?.execution ?? .pool) { _ in try respond() }
        }
        // Nobody reads the body, so its length is no reason to answer something else.
        return Route(
            id: route?.id ?? RouteID(number: 0), method: nil, match: .closure { _ in true },
            action: action, bodyMax: .max, middleware: middleware)
    }

    /// The Allow field: GET brings HEAD, and OPTIONS is always answered (RFC 9110 §10.2.1).
    private static func allow(_ methods: [HTTPRequest.Method]) -> String {
        var names = Set(methods.map(\.rawValue))
        names.insert("OPTIONS")
        if names.contains("GET") { names.insert("HEAD") }
        return names.sorted().joined(separator: ", ")
    }
}
