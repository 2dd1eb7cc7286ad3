import WharfHTTP

/// The path of a request as patterns see it: decoded once, split at the slashes that were sent.
///
/// A slash that was encoded stays inside its segment, so no pattern takes it for a separator.
struct RoutePath: Sendable {
    /// The segments as they were sent, decoded.
    ///
    /// What is not UTF-8 is repaired (U+FFFD).
    let segments: [Substring]
    /// What literal text is compared with: the same, or in lower case.
    let keys: [Substring]

    /// Takes a path without its query apart; `nil` if it has a malformed escape, or a `.` or
    /// `..` that its client was to take out (RFC 3986 §6.2.2.3): what one layer takes for a name
    /// another would resolve, and pass the route that guards it.
    fileprivate init?(_ path: Substring, ignoresCase: Bool) {
        let parts = path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var segments: [Substring] = []
        segments.reserveCapacity(parts.count)
        for part in parts {
            var segment = Substring(part)
            if part.contains(UInt8(ascii: "%")) {
                guard let bytes = PercentEncoding.decode(part) else { return nil }
                segment = String(decoding: bytes, as: UTF8.self)[...]
            }
            guard segment != ".", segment != ".." else { return nil }
            segments.append(segment)
        }
        self.segments = segments
        keys = ignoresCase ? segments.map { $0.lowercased()[...] } : segments
    }

    /// The path of `*`, which only what is below nothing fits.
    static let none = RoutePath(segments: [], keys: [])

    fileprivate init(segments: [Substring], keys: [Substring]) {
        self.segments = segments
        self.keys = keys
    }

    /// What is left without the first segments.
    func dropFirst(_ count: Int) -> RoutePath {
        RoutePath(
            segments: Array(segments.dropFirst(count)), keys: Array(keys.dropFirst(count)))
    }
}

/// What a request asks for, as routes see it.
enum RouteTarget: Sendable {
    case path(RoutePath)
    /// `*`, or host and port: nothing that patterns fit.
    case noPath
    /// A path with a malformed escape.
    case malformed

    init(_ head: HTTPRequest, ignoresCase: Bool) {
        let target = head.path ?? ""
        guard target.utf8.first == UInt8(ascii: "/") else {
            self = .noPath
            return
        }
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        self = RoutePath(target[..<end], ignoresCase: ignoresCase).map { .path($0) } ?? .malformed
    }

    var isMalformed: Bool {
        if case .malformed = self { true } else { false }
    }

    var path: RoutePath? {
        if case .path(let path) = self { path } else { nil }
    }
}
