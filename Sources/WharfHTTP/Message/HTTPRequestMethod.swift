extension HTTPRequest {
    /// A method: a token whose case matters (RFC 9110 §9.1).
    ///
    /// Known methods are one byte, so that comparing them costs nothing.
    public struct Method: Sendable, Hashable {
        private let storage: Storage

        private enum Storage: Sendable, Hashable {
            case known(Known)
            /// Never the name of a known method.
            case other(String)
        }

        enum Known: UInt8, Sendable, CaseIterable {
            case get, head, post, put, delete, options, patch, connect, trace
            case propfind, proppatch, mkcol, copy, move, lock, unlock, report, search
        }

        /// A method that is not known by a constant.
        init(token: String) {
            storage = .other(token)
        }

        init(_ known: Known) {
            storage = .known(known)
        }

        /// A method, or nil if `rawValue` is not a token.
        public init?(_ rawValue: String) {
            self.init(rawValue: rawValue)
        }

        // Written out: the operator that RawRepresentable brings would compare texts.
        /// Whether both are the same method.
        public static func == (left: Self, right: Self) -> Bool { left.storage == right.storage }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) { hasher.combine(storage) }

        /// The methods that this type has a constant for.
        package static var known: [Self] { Known.allCases.map { Self($0) } }

        /// Whether the method is one of those that this type has a constant for.
        package var isKnown: Bool {
            if case .known = storage { true } else { false }
        }
    }
}

extension HTTPRequest.Method: RawRepresentable, LosslessStringConvertible {
    /// A method, or nil if `rawValue` is not a token.
    public init?(rawValue: String) {
        guard !rawValue.isEmpty, rawValue.utf8.allSatisfy({ ASCII.isToken($0) }) else {
            return nil
        }
        let known = Known.allCases.first { $0.name == rawValue }
        storage = known.map { .known($0) } ?? .other(rawValue)
    }

    /// The method's name.
    public var rawValue: String {
        switch storage {
        case .known(let known): known.name
        case .other(let name): name
        }
    }

    /// The method's name.
    public var description: String { rawValue }
}

extension HTTPRequest.Method {
    /// RFC 9110 §9.3.1.
    public static var get: Self { Self(.get) }
    /// RFC 9110 §9.3.2.
    public static var head: Self { Self(.head) }
    /// RFC 9110 §9.3.3.
    public static var post: Self { Self(.post) }
    /// RFC 9110 §9.3.4.
    public static var put: Self { Self(.put) }
    /// RFC 9110 §9.3.5.
    public static var delete: Self { Self(.delete) }
    /// RFC 9110 §9.3.6.
    public static var connect: Self { Self(.connect) }
    /// RFC 9110 §9.3.7.
    public static var options: Self { Self(.options) }
    /// RFC 9110 §9.3.8.
    public static var trace: Self { Self(.trace) }
    /// RFC 5789.
    public static var patch: Self { Self(.patch) }
    /// RFC 4918 §9.1.
    public static var propfind: Self { Self(.propfind) }
    /// RFC 4918 §9.2.
    public static var proppatch: Self { Self(.proppatch) }
    /// RFC 4918 §9.3.
    public static var mkcol: Self { Self(.mkcol) }
    /// RFC 4918 §9.8.
    public static var copy: Self { Self(.copy) }
    /// RFC 4918 §9.9.
    public static var move: Self { Self(.move) }
    /// RFC 4918 §9.10.
    public static var lock: Self { Self(.lock) }
    /// RFC 4918 §9.11.
    public static var unlock: Self { Self(.unlock) }
    /// RFC 3253 §3.6.
    public static var report: Self { Self(.report) }
    /// RFC 5323 §2.
    public static var search: Self { Self(.search) }
}

extension HTTPRequest.Method.Known {
    var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .connect: "CONNECT"
        case .trace: "TRACE"
        case .propfind: "PROPFIND"
        case .proppatch: "PROPPATCH"
        case .mkcol: "MKCOL"
        case .copy: "COPY"
        case .move: "MOVE"
        case .lock: "LOCK"
        case .unlock: "UNLOCK"
        case .report: "REPORT"
        case .search: "SEARCH"
        }
    }
}
