import WharfHTTP

/// The routes of a router, arranged so that the one that answers is found quickly.
///
/// A value: a changed copy shares what did not change with the original.
struct RouteIndex: Sendable {
    let order: Router.Order
    /// Whether `/A` is `/a` to patterns.
    let ignoresCase: Bool
    /// All, in the order in which they were added.
    private(set) var routes: [Route] = []
    private var patterns = RouteNode()
    /// Those of literal text alone, by targets that can equal it as they stand.
    private var plain: [String: RouteList] = [:]
    /// Match closures and regular expressions, the latest first.
    private var matchers: [Route] = []
    /// Those that answer what nothing else does, by their prefixes.
    private var fallbacks = RouteNode()

    init(order: Router.Order = .mostSpecificFirst, ignoresCase: Bool = false) {
        self.order = order
        self.ignoresCase = ignoresCase
    }

    // MARK: Changing

    mutating func add(_ route: Route) {
        routes.append(route)
        guard order == .mostSpecificFirst else { return }
        switch route.match {
        case .pattern(let pattern):
            change(pattern) { $0.insert(route) }
        case .closure, .regex:
            matchers.insert(route, at: 0)
        case .fallback:
            fallbacks.change(route.prefix.segments[...], isPrefix: true) { $0.insert(route) }
        }
    }

    mutating func remove(_ id: RouteID) {
        guard let index = routes.firstIndex(where: { $0.id == id }) else { return }
        let route = routes.remove(at: index)
        guard order == .mostSpecificFirst else { return }
        switch route.match {
        case .pattern(let pattern):
            change(pattern) { $0.remove(id) }
        case .closure, .regex:
            matchers.removeAll { $0.id == id }
        case .fallback:
            fallbacks.change(route.prefix.segments[...], isPrefix: true) { $0.remove(id) }
        }
    }

    private mutating func change(_ pattern: RoutePattern, _ body: (inout RouteList) -> Void) {
        patterns.change(pattern.segments[...], isPrefix: pattern.isPrefix, body)
        let isPlain = pattern.isLiteral && !pattern.isPrefix && Self.isPlain(pattern.text)
        guard isPlain, !ignoresCase else { return }
        var list = plain[pattern.text] ?? RouteList()
        body(&list)
        plain[pattern.text] = list.isEmpty ? nil : list
        // Sparse: looking at another's text on the way costs more than the memory.
        if plain.capacity < plain.count * 4 { plain.reserveCapacity(plain.count * 8) }
    }

    /// Whether a target that equals the text is its own decoded path, without a query.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "?")
        }
    }

    // MARK: Finding

    /// The route of literal text that a target equals, if that alone decides.
    ///
    /// Nothing is more specific than literal text, and only a match closure or a regular expression
    /// can beat it.
    func plainRoute(_ head: HTTPRequest) -> Route? {
        guard let target = head.path,
            let route = plain[target]?.first(where: { $0.answers(head.method) })
        else { return nil }
        if let latest = matchers.first, latest.id.number > route.id.number { return nil }
        return route
    }

    /// The route that answers, with what it found in the path.
    func find(
        _ head: HTTPRequest, _ target: RouteTarget
    ) -> (route: Route, parameters: Parameters)? {
        guard order == .mostSpecificFirst else { return findLatest(head, target) }
        let best = target.path.flatMap { path in
            patterns.first(path) { $0.answers(head.method) }
        }
        let bestNumber = best?.id.number ?? 0
        for route in matchers where route.answers(head.method) {
            guard route.id.number > bestNumber else { break }
            if let parameters = route.match(head, target) { return (route, parameters) }
        }
        let last = best ?? fallbacks.first(target.path ?? .none) { $0.answers(head.method) }
        return last.flatMap { route in route.match(head, target).map { (route, $0) } }
    }

    private func findLatest(
        _ head: HTTPRequest, _ target: RouteTarget
    ) -> (route: Route, parameters: Parameters)? {
        for route in routes.reversed() where route.answers(head.method) {
            if let parameters = route.match(head, target) { return (route, parameters) }
        }
        return nil
    }

    // MARK: What is there

    /// Whether nothing is left, nor any trace of what there was.
    var isEmpty: Bool {
        routes.isEmpty && patterns.isEmpty && plain.isEmpty && matchers.isEmpty
            && fallbacks.isEmpty
    }

    /// The routes that fit a target for whatever method, in the order of precedence.
    ///
    /// Match closures are not asked: they don't judge the path alone.
    func routes(fitting target: RouteTarget, _ head: HTTPRequest) -> [Route] {
        guard order == .mostSpecificFirst, let path = target.path else {
            return routes.reversed().filter { !$0.isClosure && $0.match(head, target) != nil }
        }
        var found: [Route] = []
        func note(_ route: Route) -> Bool {
            found.append(route)
            return false
        }
        _ = patterns.first(path, where: note)
        found += matchers.filter { !$0.isClosure && $0.match(head, target) != nil }
        _ = fallbacks.first(path, where: note)
        return found
    }

    /// Whether the server knows what a method means.
    ///
    /// Nothing is behind CONNECT, and TRACE is answered by nobody, unless a route names them.
    func implements(_ method: HTTPRequest.Method) -> Bool {
        let isUsual = method.isKnown && method != .connect && method != .trace
        return isUsual || routes.contains { $0.method == method }
    }

    /// All methods that some route is known to answer.
    var methods: [HTTPRequest.Method] { routes.flatMap(\.allowedMethods) }
}
