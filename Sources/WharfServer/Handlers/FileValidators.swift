import WharfHTTP
package import WharfNet

/// What tells versions of a file apart, as the fields' values (RFC 9110 §8.8).
package struct FileValidators {
    /// Strong: made of the inode, the size and the nanosecond of the last change.
    package let eTag: String
    package let lastModified: String

    /// `now` in seconds since 1970.
    package init(_ status: FileStatus, now: Int64) {
        var tag: [UInt8] = [UInt8(ascii: "\"")]
        tag.reserveCapacity(52)
        for part in [
            status.inode, UInt64(bitPattern: status.size),
            UInt64(bitPattern: status.modificationTime),
        ] {
            if tag.count > 1 { tag.append(UInt8(ascii: "-")) }
            Self.append(part, to: &tag)
        }
        tag.append(UInt8(ascii: "\""))
        eTag = String(decoding: tag, as: UTF8.self)
        // RFC 9110 §8.8.2.1: a date to come is replaced by the answer's own.
        let date = HTTPDate(unixSeconds: min(status.modificationSeconds, now))
        lastModified = date.description
    }

    /// Six bits a character: Windows refuses folders whose lists are long.
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var shift = max(0, (63 - number.leadingZeroBitCount) / 6 * 6)
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0x3F
            bytes.append(character(digit))
            shift -= 6
        }
    }

    private static func character(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<10: UInt8(ascii: "0") + digit
        case 10..<36: UInt8(ascii: "a") + digit - 10
        case 36..<62: UInt8(ascii: "A") + digit - 36
        case 62: UInt8(ascii: "_")
        default: UInt8(ascii: ".")
        }
    }
}
