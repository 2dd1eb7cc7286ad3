/// A route as the documentation describes it, matched in the slowest and plainest way.
struct ReferenceRoute {
    /// How specific one segment is, the number that counts most first.
    typealias Weight = [Int]

    let pattern: String
    let isMount: Bool
    /// `nil`: every one.
    let method: String?
    /// Later routes have higher numbers.
    let number: Int

    /// The weights of the pattern's segments for a path that it fits, else `nil`.
    func weights(_ path: String) -> [Weight]? {
        // A mount's last slash says nothing.
        let wanted = Self.split(
            isMount && pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern)
        let given = Self.split(path)
        var weights: [Weight] = []
        for (index, segment) in wanted.enumerated() {
            if segment.hasSuffix("...}") {
                // After all segments that are there and before a mount.
                return index <= given.count ? weights + [[0, 1]] : nil
            }
            guard index < given.count, let weight = Self.weight(segment, given[index]) else {
                return nil
            }
            weights.append(weight)
        }
        if given.count == wanted.count && !isMount { return weights + [[0, 2]] }
        return isMount ? weights + [[0, 0]] : nil
    }

    private static func weight(_ segment: String, _ text: String) -> Weight? {
        guard let open = segment.firstIndex(of: "{"), let close = segment.firstIndex(of: "}") else {
            return segment == text ? [3] : nil
        }
        let before = String(segment[..<open])
        let after = String(segment[segment.index(after: close)...])
        guard text.count > before.count + after.count, text.hasPrefix(before),
            text.hasSuffix(after)
        else { return nil }
        let given = before.count + after.count
        return given == 0 ? [1] : [2, given, before.count]
    }

    private static func split(_ path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }

    func answers(_ wanted: String) -> Bool {
        method == nil || method == wanted || (wanted == "HEAD" && method == "GET")
    }

    /// The route that is to answer.
    static func winner(_ method: String, _ path: String, of routes: [ReferenceRoute])
        -> ReferenceRoute?
    {
        routes.filter { $0.answers(method) && $0.weights(path) != nil }.max { first, second in
            guard let one = first.weights(path), let two = second.weights(path) else {
                return false
            }
            if one != two {
                return one.lexicographicallyPrecedes(two) { $0.lexicographicallyPrecedes($1) }
            }
            let isForHead = (first.method == "HEAD", second.method == "HEAD")
            if isForHead.0 != isForHead.1 { return isForHead.1 }
            return first.number < second.number
        }
    }

    /// The latest route that fits: the other order.
    static func latest(_ method: String, _ path: String, of routes: [ReferenceRoute])
        -> ReferenceRoute?
    {
        routes.last { $0.answers(method) && $0.weights(path) != nil }
    }

    /// The methods of the routes that fit.
    static func allowed(_ path: String, of routes: [ReferenceRoute]) -> String? {
        var methods = Set(routes.filter { $0.weights(path) != nil }.compactMap(\.method))
        guard !methods.isEmpty else { return nil }
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return methods.sorted().joined(separator: ", ")
    }
}
