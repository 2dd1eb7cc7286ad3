import WharfHTTP

/// How a draft of the IETF's resumable uploads says things, or the final text.
///
/// The drafts of draft-ietf-httpbis-resumable-upload are told apart by the interop number that both
/// sides send; the state of an upload is the same for all.
struct ResumableDialect: Sendable, Hashable {
    /// The interop number; `nil`: the final text, which has none, or a number that is not known.
    let number: Int?
    /// The client has sent a number that is not known: nothing but what is the same in all drafts.
    let isUnknown: Bool

    static let numbers = 3...8

    /// What a request speaks.
    init(_ fields: HTTPFields) {
        guard let value = fields[.uploadDraftInteropVersion] else {
            number = nil
            isUnknown = false
            return
        }
        let sent = UploadCount.parse(value).map { Int(clamping: $0) }
        number = sent.flatMap { Self.numbers.contains($0) ? $0 : nil }
        isUnknown = number == nil
    }

    private func isAtLeast(_ first: Int) -> Bool { (number ?? .max) >= first }

    /// -02: Upload-Complete took the place of Upload-Incomplete.
    var saysIncomplete: Bool { !isAtLeast(4) }
    /// -04: PATCH has a media type, and there are lengths and limits.
    var hasLimits: Bool { isAtLeast(6) }
    /// -06: `max-age` took the place of `expires`, and there are problem types.
    var hasProblems: Bool { isAtLeast(7) }
    /// No interim response to whom it might surprise.
    var takesInterim: Bool { !isUnknown }
    /// What answers a request that leaves an upload incomplete, and began none.
    var appendedStatus: HTTPResponse.Status { hasLimits ? .noContent : .created }

    /// Whether a request ends its upload; `nil` without a word of that.
    ///
    /// Throws the ``UploadFieldError`` for what is neither yes nor no: who sends it may mean a part,
    /// and a part must not be taken for the whole.
    static func completeness(_ fields: HTTPFields) throws(UploadFieldError) -> Bool? {
        if let value = fields[.uploadComplete] { return try boolean(value) }
        if let value = fields[.uploadIncomplete] { return try !boolean(value) }
        return nil
    }

    private static func boolean(_ value: String) throws(UploadFieldError) -> Bool {
        guard case .boolean(let isTrue) = StructuredField.item(value)?.value else {
            throw UploadFieldError(name: .uploadComplete)
        }
        return isTrue
    }

    /// Says of an answer, or of an upload, whether it is complete.
    func setComplete(_ isComplete: Bool, in fields: inout HTTPFields) {
        if saysIncomplete {
            fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
        } else {
            fields[.uploadComplete] = isComplete ? "?1" : "?0"
        }
    }

    /// The field of a draft's number.
    func setNumber(in fields: inout HTTPFields) {
        if let number { fields[.uploadDraftInteropVersion] = "\(number)" }
    }

    /// Upload-Limit, with bytes and seconds.
    func limit(max: Int64?, age: Int64) -> String {
        let size = max.map { "max-size=\($0)" } ?? "min-size=0"
        return "\(size), \(hasProblems ? "max-age" : "expires")=\(Swift.max(0, age))"
    }
}

/// A field of an upload is malformed.
struct UploadFieldError: Error, Sendable, Hashable {
    let name: HTTPField.Name
}
