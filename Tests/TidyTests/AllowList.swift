/// A place where a rule doesn't hold, and why.
struct Allowed: Sendable {
    /// A path from the root of the repository; `*` stands for any characters.
    let path: String

    let reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    func covers(_ candidate: String) -> Bool {
        let parts = path.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return path == candidate }
        guard candidate.hasPrefix(parts[0]) else { return false }
        var rest = candidate.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}

extension [Allowed] {
    func cover(_ path: String) -> Bool { contains { $0.covers(path) } }

    /// The entries for a single file that the rule has no need of any more.
    func stale(_ findings: [Finding]) -> [String] {
        let needed = Set(findings.map(\.path))
        return map(\.path).filter { !$0.contains("*") && !needed.contains($0) }
    }
}

extension [Finding] {
    /// What remains after an allow-list, and what the list allows in vain.
    func except(_ list: [Allowed]) -> [Finding] {
        filter { !list.cover($0.path) }
            + list.stale(self).map { Finding(path: $0, line: 1, what: "is allowed in vain") }
    }
}
