import WharfHTTP

/// All routes at one moment: a value that requests read while the router changes.
final class RouteTable: Sendable {
    enum Answer {
        case route(Route, Parameters, mountPath: String)
        case notFound
        /// The path is known for these methods only.
        case methodNotAllowed([HTTPRequest.Method])
    }

    let routes: [Route]
    /// Routes without a variable part, by their path, the latest first.
    private let literals: [String: [Route]]
    /// Those of them that a target can equal as it stands.
    private let plainLiterals: [String: [Route]]
    /// The others with a pattern: the most specific first, among equals the latest.
    private let patterns: [(pattern: RoutePattern, route: Route)]
    /// Match closures, the latest first.
    private let closures: [(matches: @Sendable (HTTPRequest) -> Bool, route: Route)]

    init(_ routes: [Route] = []) {
        self.routes = routes
        var literals: [String: [Route]] = [:]
        var patterns: [(pattern: RoutePattern, route: Route)] = []
        var closures: [(matches: @Sendable (HTTPRequest) -> Bool, route: Route)] = []
        for route in routes.reversed() {
            switch route.match {
            case .closure(let matches):
                closures.append((matches, route))
            case .pattern(let pattern):
                if let literal = pattern.literal {
                    literals[literal, default: []].append(route)
                } else {
                    let index =
                        patterns.firstIndex { pattern.isMoreSpecific(than: $0.pattern) }
                        ?? patterns.endIndex
                    patterns.insert((pattern, route), at: index)
                }
            }
        }
        self.literals = literals
        plainLiterals = literals.filter { path, _ in
            path.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "?")
            }
        }
        self.patterns = patterns
        self.closures = closures
    }

    /// Finds what answers: the most specific pattern, among equals the latest; a match closure
    /// beats what was added before it.
    func find(_ head: HTTPRequest) -> Answer {
        let closure = closures.first { $0.route.answers(head.method) && $0.matches(head) }?.route
        // A target without query and escapes is its own decoded path.
        if let target = head.path, let routes = plainLiterals[target],
            let route = routes.first(where: {
                $0.answers(head.method) && isLater($0, than: closure)
            })
        {
            return .route(route, Parameters(), mountPath: "")
        }
        let target = head.path ?? ""
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        return findSlowly(head, path: target[..<end], closure: closure)
    }

    private func findSlowly(_ head: HTTPRequest, path: Substring, closure: Route?) -> Answer {
        var allowed: [HTTPRequest.Method] = []
        if let decoded = Self.decode(path) {
            // A decoded slash inside a segment is no separator: no literal has one there.
            let hasInnerSlash = decoded.contains { $0.utf8.contains(UInt8(ascii: "/")) }
            let path = "/" + decoded.joined(separator: "/")
            for route in hasInnerSlash ? [] : literals[path] ?? [] {
                if route.answers(head.method), isLater(route, than: closure) {
                    return .route(route, Parameters(), mountPath: "")
                }
                if let method = route.method { allowed.append(method) }
            }
            for (pattern, route) in patterns {
                guard let parameters = pattern.match(decoded) else { continue }
                if route.answers(head.method), isLater(route, than: closure) {
                    return .route(
                        route, parameters, mountPath: pattern.isMount ? pattern.text : "")
                }
                if let method = route.method { allowed.append(method) }
            }
        }
        if let closure { return .route(closure, Parameters(), mountPath: "") }
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allowed)
    }

    private func isLater(_ route: Route, than closure: Route?) -> Bool {
        closure.map { route.id.number > $0.id.number } ?? true
    }

    /// The decoded segments of a path, or `nil` for one that no pattern can fit.
    ///
    /// A slash that was encoded stays inside its segment.
    private static func decode(_ path: Substring) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var decoded: [String] = []
        decoded.reserveCapacity(parts.count)
        for part in parts {
            guard let bytes = PercentEncoding.decode(part.utf8) else { return nil }
            decoded.append(String(decoding: bytes, as: UTF8.self))
        }
        return decoded
    }
}
