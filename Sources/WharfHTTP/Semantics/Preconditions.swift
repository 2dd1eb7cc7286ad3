/// The conditions in a request's fields, judged in the order of RFC 9110 §13.2.2.
public enum Preconditions {
    /// What the conditions say.
    public enum Outcome: Sendable, Hashable {
        /// Do as asked.
        case proceed
        /// Answer 304: the client has this version.
        case notModified
        /// Answer 412: the resource is not in the state that the client expects.
        case preconditionFailed
    }

    /// Judges If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since.
    ///
    /// `exists` says whether the target has a representation at all; `eTag` and `lastModified`
    /// describe it. A condition that is malformed and could prevent harm (If-Match) fails; other
    /// malformed ones are ignored.
    public static func evaluate(
        _ request: HTTPRequest, exists: Bool, eTag: EntityTag?, lastModified: HTTPDate?
    ) -> Outcome {
        let fields = request.headerFields
        let isRead = request.method == .get || request.method == .head
        if let value = fields[.ifMatch] {
            // What is written replaces the version, in whichever coding that was read.
            let isMatch = isRead ? EntityTag.matchesStrongly : EntityTag.isVariant
            guard exists, matches(value, eTag, by: isMatch) ?? false else {
                return .preconditionFailed
            }
        } else if let date = fields[.ifUnmodifiedSince].flatMap({ HTTPDate($0) }) {
            // RFC 9110 §13.1.4: without a date of its own the resource ignores the condition.
            if let lastModified, lastModified > date { return .preconditionFailed }
            if !exists { return .preconditionFailed }
        }
        if let value = fields[.ifNoneMatch] {
            if exists, matches(value, eTag, by: EntityTag.matchesWeakly) ?? false {
                return isRead ? .notModified : .preconditionFailed
            }
        } else if isRead, let date = fields[.ifModifiedSince].flatMap({ HTTPDate($0) }),
            let lastModified, lastModified <= date
        {
            return .notModified
        }
        return .proceed
    }

    /// Whether a Range field counts, given the If-Range field (RFC 9110 §13.1.5).
    ///
    /// A weak tag never matches; a date matches only if it is exactly the last modification.
    public static func allowsRange(
        ifRange value: String?, eTag: EntityTag?, lastModified: HTTPDate?
    ) -> Bool {
        guard let value else { return true }
        if let tag = EntityTag(parsing: value) {
            return eTag.map { $0.matchesStrongly(tag) } ?? false
        }
        guard let date = HTTPDate(value), let lastModified else { return false }
        return date == lastModified
    }

    private static func matches(
        _ value: String, _ eTag: EntityTag?, by isMatch: (EntityTag) -> (EntityTag) -> Bool
    ) -> Bool? {
        guard let list = EntityTag.List(parsing: value) else { return nil }
        switch list {
        case .any: return true
        case .tags(let tags):
            guard let eTag else { return false }
            return tags.contains { isMatch($0)(eTag) }
        }
    }
}
