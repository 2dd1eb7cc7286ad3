import WharfHTTP

/// The pattern of a path: `/users/{id}`, `/files/{rest...}`, or a mount's prefix.
struct RoutePattern: Sendable, Hashable {
    enum Segment: Sendable, Hashable {
        case literal(String)
        /// One whole segment, not empty.
        case parameter(String)
        /// The rest of the path, slashes and all; also an empty one.
        case rest(String)
    }

    let text: String
    let segments: [Segment]
    let isMount: Bool

    /// Reads a pattern.
    ///
    /// It traps on one that can't be: those are the program's own text.
    init(_ text: String, isMount: Bool = false) {
        precondition(text.hasPrefix("/") || (isMount && text.isEmpty), "\(text): no leading slash")
        self.isMount = isMount
        let trimmed = isMount && text.hasSuffix("/") ? String(text.dropLast()) : text
        self.text = trimmed
        let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        segments = parts.map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .literal(String(part)) }
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("...")
                ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
        let rest = segments.firstIndex { if case .rest = $0 { true } else { false } }
        precondition(rest == nil || rest == segments.count - 1, "\(text): something after a rest")
    }

    /// The whole path, when the pattern has no variable part.
    var literal: String? {
        let isLiteral = segments.allSatisfy { if case .literal = $0 { true } else { false } }
        return isLiteral && !isMount ? text : nil
    }

    /// Fits a decoded path, split at its slashes; `nil` when it does not.
    func match(_ path: [String]) -> Parameters? {
        var parameters = Parameters()
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .rest(let name):
                guard index <= path.count else { return nil }
                parameters.values.append((name, path[index...].joined(separator: "/")))
                return parameters
            case .literal(let text):
                guard index < path.count, path[index] == text else { return nil }
            case .parameter(let name):
                guard index < path.count, !path[index].isEmpty else { return nil }
                parameters.values.append((name, path[index]))
            }
        }
        return isMount || path.count == segments.count ? parameters : nil
    }

    /// True when this pattern is the more specific of two that fit the same path.
    func isMoreSpecific(than other: RoutePattern) -> Bool {
        for (mine, theirs) in zip(segments, other.segments) {
            let difference = Self.weight(mine) - Self.weight(theirs)
            if difference != 0 { return difference > 0 }
        }
        if segments.count != other.segments.count { return segments.count > other.segments.count }
        return !isMount && other.isMount
    }

    private static func weight(_ segment: Segment) -> Int {
        switch segment {
        case .literal: 2
        case .parameter: 1
        case .rest: 0
        }
    }
}
