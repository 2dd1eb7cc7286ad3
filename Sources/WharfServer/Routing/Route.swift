import WharfHTTP

/// Names a route, to remove it.
public struct RouteID: Sendable, Hashable {
    let number: UInt64
}

/// One entry of a router.
final class Route: Sendable {
    enum Match: Sendable {
        case pattern(RoutePattern)
        case closure(@Sendable (HTTPRequest) -> Bool)
        case regex(PathRegex)
        /// Everything, when nothing else answers.
        case fallback
    }

    enum Action: Sendable {
        case inline(@Sendable (Request) throws -> Response)
        case async(Execution, @Sendable (Request) async throws -> Response)
    }

    let id: RouteID
    /// `nil`: any.
    let method: HTTPRequest.Method?
    let match: Match
    /// What the path has to begin with, for a route of a group that is not a pattern's.
    let prefix: RoutePattern
    let action: Action
    /// Tried first, in place: `nil` from it means that the answer has to be waited for.
    let atOnce: (@Sendable (Request) throws -> Response?)?
    /// Tells of requests that only read in spite of their method.
    let onlyReads: (@Sendable (Request) -> Bool)?
    /// Bytes; `nil`: the server's default.
    let bodyMax: Int64?
    let middleware: [any HTTPMiddleware]
    /// The middlewares, if all of them can decide in place.
    let inPlaceMiddleware: [any InPlaceMiddleware]?
    /// What a route that names no method is known to answer.
    private let knownMethods: [HTTPRequest.Method]

    init(
        id: RouteID, method: HTTPRequest.Method?, match: Match, below prefix: RoutePattern = .root,
        action: Action, bodyMax: Int64?, middleware: [any HTTPMiddleware],
        knownMethods: [HTTPRequest.Method] = [],
        atOnce: (@Sendable (Request) throws -> Response?)? = nil,
        onlyReads: (@Sendable (Request) -> Bool)? = nil
    ) {
        self.id = id
        self.method = method
        self.match = match
        self.prefix = prefix
        self.action = action
        self.bodyMax = bodyMax
        self.middleware = middleware
        inPlaceMiddleware = middleware.inPlace
        self.knownMethods = knownMethods
        self.atOnce = atOnce
        self.onlyReads = onlyReads
    }

    /// The methods that it has a part in allowing, as far as they are known.
    var allowedMethods: [HTTPRequest.Method] { method.map { [$0] } ?? knownMethods }

    /// Whether it answers a method: HEAD runs GET's route.
    func answers(_ wanted: HTTPRequest.Method) -> Bool {
        if let method { return method == wanted || (wanted == .head && method == .get) }
        if case .closure = match { return true }
        // RFC 9110 §9.3.8: an answer that repeats a TRACE shows its fields to others. Only a
        // mounted handler, and a route that names the method, is asked; there is nothing behind
        // CONNECT.
        return (wanted != .trace && wanted != .connect) || pattern?.isPrefix == true
    }

    /// What the whole path has to fit, if that is said by a pattern.
    private var pattern: RoutePattern? {
        if case .pattern(let pattern) = match { pattern } else { nil }
    }

    var isClosure: Bool {
        if case .closure = match { true } else { false }
    }

    /// Where its handler runs.
    var execution: Execution {
        if case .async(let execution, _) = action { execution } else { .loop }
    }

    /// What a handler that it mounts is to take for its own root, of the path of a request: the
    /// prefix's text, or what was sent in the place of its names.
    func mountPath(_ head: HTTPRequest) -> String {
        guard let pattern, pattern.isPrefix else { return "" }
        guard !pattern.isLiteral, let path = head.path else { return pattern.text }
        // The path fits: it has at least that many segments, and one more part before its slash.
        let parts = path.utf8.split(
            maxSplits: pattern.segments.count + 1, omittingEmptySubsequences: false
        ) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        return String(path[..<parts[min(pattern.segments.count, parts.count - 1)].endIndex])
    }

    /// What it finds in the path of a request; `nil` if it does not fit.
    func match(_ head: HTTPRequest, _ target: RouteTarget) -> Parameters? {
        if case .pattern(let pattern) = match { return target.path.flatMap(pattern.match) }
        // Nothing is asked of the path outside of groups: it may be `*`, or even malformed.
        let isFree = prefix.segments.isEmpty
        guard let found = isFree ? Parameters() : target.path.flatMap(prefix.match) else {
            return nil
        }
        switch match {
        case .pattern: return nil
        case .closure(let matches): return matches(head) ? found : nil
        case .regex(let regex):
            return target.path.flatMap { path in
                regex.match(path.dropFirst(prefix.segments.count), found)
            }
        case .fallback: return target.isMalformed ? nil : found
        }
    }
}

extension Route: CustomStringConvertible {
    var description: String {
        let name = method?.rawValue ?? "any method"
        let place = prefix.segments.isEmpty ? "" : " below \(prefix.text)"
        switch match {
        case .pattern(let pattern):
            return "\(name) \(pattern.text)\(pattern.isPrefix ? "/..." : "")"
        case .closure: return "\(name), a match closure\(place)"
        case .regex: return "\(name), a regular expression\(place)"
        case .fallback: return "\(name), a fallback\(place)"
        }
    }
}
