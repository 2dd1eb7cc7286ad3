/// A tree of routes by the segments of their patterns.
///
/// A path takes one step down for each segment, so finding its route does not depend on how many
/// there are. A value: a changed copy shares what did not change with the original.
struct RouteNode: Sendable {
    private var literals: [Substring: RouteNode] = [:]
    /// The most specific first.
    private var partials: [(affixes: RouteSegment.Affixes, node: RouteNode)] = []
    /// One or none.
    private var parameter: [RouteNode] = []
    /// Those whose pattern ends here.
    private var ending = RouteList()
    /// Those that take all that is left of the path as a parameter.
    private var rests = RouteList()
    /// Those of a prefix that ends here.
    private var prefixes = RouteList()

    var isEmpty: Bool {
        literals.isEmpty && partials.isEmpty && parameter.isEmpty && ending.isEmpty
            && rests.isEmpty && prefixes.isEmpty
    }

    /// The first route that fits a path and is accepted: segment by segment a literal comes before
    /// a partial one, that before a parameter, that before a rest, and that before a prefix.
    ///
    /// Each node is visited once at most, whatever the path.
    func first(
        _ path: RoutePath, from index: Int = 0, where accepts: (Route) -> Bool
    ) -> Route? {
        if index == path.keys.count {
            if let route = ending.first(where: accepts) { return route }
        } else {
            let key = path.keys[index]
            if let route = literals[key]?.first(path, from: index + 1, where: accepts) {
                return route
            }
            for (affixes, node) in partials where affixes.fit(key) {
                if let route = node.first(path, from: index + 1, where: accepts) { return route }
            }
            if !key.isEmpty,
                let route = parameter.first?.first(path, from: index + 1, where: accepts)
            {
                return route
            }
        }
        return rests.first(where: accepts) ?? prefixes.first(where: accepts)
    }

    /// Changes the list of the routes whose pattern has these segments.
    ///
    /// Nodes without routes below them don't stay.
    mutating func change(
        _ segments: ArraySlice<RouteSegment>, isPrefix: Bool, _ body: (inout RouteList) -> Void
    ) {
        guard let segment = segments.first else {
            if isPrefix { body(&prefixes) } else { body(&ending) }
            return
        }
        func descend(_ node: RouteNode?) -> RouteNode? {
            var node = node ?? RouteNode()
            node.change(segments.dropFirst(), isPrefix: isPrefix, body)
            return node.isEmpty ? nil : node
        }
        switch segment {
        case .literal(let text):
            literals[text] = descend(literals[text])
        case .partial(let affixes, _):
            let index = partials.firstIndex { $0.affixes == affixes }
            let node = descend(index.map { partials.remove(at: $0).node })
            guard let node else { return }
            let place = partials.firstIndex { affixes.isMoreSpecific(than: $0.affixes) }
            partials.insert((affixes, node), at: place ?? partials.endIndex)
        case .parameter:
            parameter = descend(parameter.first).map { [$0] } ?? []
        case .rest:
            body(&rests)
        }
    }
}
