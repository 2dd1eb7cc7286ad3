/// The pattern of a path: `/users/{id}`, `/files/{rest...}`, or a prefix.
struct RoutePattern: Sendable {
    let text: String
    /// Its parts; literal text is in lower case where the case is ignored.
    let segments: [RouteSegment]
    /// Whether it also fits everything below.
    let isPrefix: Bool

    /// The prefix of all paths.
    static let root = RoutePattern("", isPrefix: true)

    /// Reads a pattern.
    ///
    /// It traps on one that can't be: those are the program's own text.
    init(_ text: String, isPrefix: Bool = false, ignoresCase: Bool = false) {
        precondition(text.hasPrefix("/") || (isPrefix && text.isEmpty), "\(text): no leading slash")
        self.isPrefix = isPrefix
        let trimmed = isPrefix && text.hasSuffix("/") ? String(text.dropLast()) : text
        self.text = trimmed
        let segments = trimmed.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst().map { RouteSegment($0, of: text) }
        let names = segments.compactMap(\.name)
        precondition(Set(names).count == names.count, "\(text): a name stands there twice")
        let rest = segments.firstIndex { if case .rest = $0 { true } else { false } }
        precondition(rest == nil || rest == segments.count - 1, "\(text): something after a rest")
        precondition(rest == nil || !isPrefix, "\(text): nothing is below a rest")
        self.segments = ignoresCase ? segments.map(\.lowercased) : segments
    }

    /// Whether it has no variable part.
    var isLiteral: Bool { segments.allSatisfy { $0.name == nil } }

    /// What it finds in a path; `nil` if it does not fit.
    func match(_ path: RoutePath) -> Parameters? {
        var parameters = Parameters()
        for (index, segment) in segments.enumerated() {
            if case .rest(let name) = segment {
                guard index <= path.keys.count else { return nil }
                parameters.append(name, path.segments[index...].joined(separator: "/"))
                return parameters
            }
            guard index < path.keys.count else { return nil }
            let key = path.keys[index]
            switch segment {
            case .literal(let text):
                guard key == text else { return nil }
            case .partial(let affixes, let name):
                guard affixes.fit(key) else { return nil }
                parameters.append(name, String(affixes.removed(from: path.segments[index])))
            case .parameter(let name):
                guard !key.isEmpty else { return nil }
                parameters.append(name, String(path.segments[index]))
            case .rest: break
            }
        }
        return isPrefix || path.keys.count == segments.count ? parameters : nil
    }
}
