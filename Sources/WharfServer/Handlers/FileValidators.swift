import WharfHTTP
import WharfNet

/// What tells versions of a file apart (RFC 9110 §8.8).
struct FileValidators {
    /// Strong: made of the inode, the size and the nanosecond of the last change.
    let eTag: EntityTag
    let lastModified: HTTPDate
    /// RFC 9110 §8.8.2.2: a date tells versions apart only if the second after it is over, too.
    private let isDateStrong: Bool

    /// `now` in seconds since 1970.
    init(_ status: FileStatus, now: Int64) {
        let parts = [
            status.inode, UInt64(bitPattern: status.size),
            UInt64(bitPattern: status.modificationTime),
        ]
        eTag = EntityTag(parts.map { String($0, radix: 16) }.joined(separator: "-"))
        // RFC 9110 §8.8.2.1: a date to come is replaced by the answer's own.
        lastModified = HTTPDate(unixSeconds: min(status.modificationSeconds, now))
        isDateStrong = status.modificationSeconds < now - 1
    }

    var fields: HTTPFields {
        [.eTag: eTag.description, .lastModified: lastModified.description]
    }

    /// What part is asked for (RFC 9110 §14.2: ranges are for GET only).
    func ranges(for request: Request, length: Int64) -> RangeRequest {
        guard request.method == .get, let value = request.fields[.range],
            Preconditions.allowsRange(
                ifRange: request.fields[.ifRange], eTag: eTag,
                lastModified: isDateStrong ? lastModified : nil)
        else { return .ignored }
        return RangeRequest(parsing: value, length: length)
    }
}
