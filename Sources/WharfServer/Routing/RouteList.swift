import WharfHTTP

/// Routes whose patterns fit the same paths, in the order of precedence.
struct RouteList: Sendable {
    private var routes: [Route] = []

    var isEmpty: Bool { routes.isEmpty }

    /// The latest comes first; but GET's routes answer HEAD only where HEAD has none of its own.
    mutating func insert(_ route: Route) {
        let isForHead = route.method == .head
        let index = isForHead ? 0 : routes.firstIndex { $0.method != .head }
        routes.insert(route, at: index ?? routes.endIndex)
    }

    mutating func remove(_ id: RouteID) {
        routes.removeAll { $0.id == id }
    }

    func first(where accepts: (Route) -> Bool) -> Route? {
        for route in routes where accepts(route) { return route }
        return nil
    }
}
