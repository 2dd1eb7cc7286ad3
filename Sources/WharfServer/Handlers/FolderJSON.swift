import WharfHTTP

/// A folder's list for programs; ``DirectoryHandler`` says what it looks like.
///
/// A name that is no UTF-8 has replacement characters in `name`; `href` has its exact bytes.
struct FolderJSON: Sendable {
    static let contentType = "application/json"

    /// Percent-encoded, with slashes at both ends.
    let path: String
    let listing: FolderListing

    var bytes: [UInt8] {
        var output = Array("{\"path\":".utf8)
        JSONText.append(path, to: &output)
        output += ",\"isComplete\":\(!listing.isCut),\"entries\":[".utf8
        for (index, item) in listing.items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            append(item, to: &output)
        }
        output += "\n]}\n".utf8
        return output
    }

    private func append(_ item: FolderListing.Item, to output: inout [UInt8]) {
        output += "\n{\"name\":".utf8
        JSONText.append(String(decoding: item.name, as: UTF8.self), to: &output)
        output += ",\"type\":\"\(item.isFolder ? "folder" : "file")\",\"href\":".utf8
        let href = PercentEncoding.encode(item.name, for: .pathSegment)
        JSONText.append(item.isFolder ? href + "/" : href, to: &output)
        if !item.isFolder { output += ",\"size\":\(item.size)".utf8 }
        let date = HTTPDate(unixSeconds: item.modificationSeconds)
        output += ",\"modified\":\"\(date.iso8601)\"}".utf8
    }
}

/// Writes a string of JSON (RFC 8259 §7).
enum JSONText {
    static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                output += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
            default:
                output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
