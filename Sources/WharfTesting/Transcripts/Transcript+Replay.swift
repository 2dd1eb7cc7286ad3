public import WharfHTTP

extension Transcript {
    /// How closely an answer is like the recorded one.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// The status is the same.
        case status = 1
        /// So are the recorded fields that are compared; there may be others.
        case fields
        /// So is the body.
        case body

        /// Orders the levels by how much they ask.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Where an answer is not what was recorded.
    public struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// The exchange's number.
        public let number: Int
        /// What differs.
        public let level: Level
        /// How: `Content-Type: text/plain, not text/html`.
        public let what: String

        /// All in one line: `004 fields: Content-Type: ...`.
        public var description: String {
            let digits = String(number)
            let zeros = String(repeating: "0", count: max(0, 3 - digits.utf8.count))
            return "\(zeros)\(digits) \(level): \(what)"
        }
    }

    /// What counts as a difference.
    public struct Comparison: Sendable {
        /// Fields that are not compared: those that say when, by whom and on which connection.
        public var ignoredFields: Set<HTTPField.Name> = [
            .cacheControl, .connection, .date, .eTag, .server,
        ]
        /// Whether two bodies say the same, the recorded one first; it gets the recorded fields.
        public var bodiesAgree: @Sendable (HTTPFields, [UInt8], [UInt8]) -> Bool

        /// Bodies agree if their bytes do, or, for a page with links, if these do.
        public init() {
            bodiesAgree = { fields, recorded, present in
                if recorded == present { return true }
                guard fields[.contentType]?.hasPrefix("text/html") ?? false else { return false }
                let links = Self.links(recorded)
                return !links.isEmpty && links == Self.links(present)
            }
        }

        /// The targets of a page's links, but for those that lead up.
        private static func links(_ page: [UInt8]) -> Set<Substring> {
            let text = String(decoding: page, as: UTF8.self)
            let parts = text.components(behind: "href=\"").map { $0.prefix { $0 != "\"" } }
            return Set(parts.filter { !$0.hasPrefix("../") })
        }
    }

    /// Sends each request in its order, and says where the answers differ from the recorded ones.
    ///
    /// ETags, dates and locks' tokens that the server has given now take the place of those that it
    /// gave then.
    /// A body that was recorded in part is compared as far as it goes. Throws when there is no answer.
    public func replay(
        over client: TestClient, comparing comparison: Comparison = Comparison()
    ) async throws -> [Difference] {
        var differences: [Difference] = []
        var rewriter = ValidatorRewriter()
        for exchange in exchanges {
            guard let recorded = RecordedAnswer(exchange.response) else {
                throw Failure(description: "\(exchange.number): the recorded answer is none")
            }
            let present = try await client.send(
                rewriter.rewrite(exchange.request), method: exchange.method)
            rewriter.learn(recorded.fields, present.fields)
            rewriter.learnTokens(recorded.body, present.body)
            differences += comparison.differences(recorded, present).map {
                Difference(number: exchange.number, level: $0, what: $1)
            }
        }
        return differences
    }
}

extension Transcript.Comparison {
    fileprivate func differences(_ recorded: RecordedAnswer, _ present: TestResponse)
        -> [(Transcript.Level, String)]
    {
        guard recorded.status == present.status.code else {
            return [(.status, "\(present.status.code), not \(recorded.status)")]
        }
        var differences: [(Transcript.Level, String)] = []
        for field in recorded.fields where !ignoredFields.contains(field.name) {
            let value = present.fields[field.name]
            if value != field.value {
                let found = value.map { "\(field.name): \($0)" } ?? "no \(field.name)"
                differences.append((.fields, "\(found), not \(field.value)"))
            }
        }
        let isError = recorded.status >= 400
        // What was answered as it is may be compressed now, for a client that takes it so.
        let content = recorded.fields.contains(.contentEncoding) ? nil : present.content
        let whole = content ?? present.body
        let body = recorded.isCut ? Array(whole.prefix(recorded.body.count)) : whole
        if !isError, !bodiesAgree(recorded.fields, recorded.body, body) {
            differences.append(
                (.body, "\(body.count) bytes that differ from \(recorded.body.count)"))
        }
        return differences
    }
}

extension String {
    /// What stands behind each occurrence of a text, up to the end.
    fileprivate func components(behind mark: String) -> [Substring] {
        ranges(of: mark).map { self[$0.upperBound...] }
    }
}
