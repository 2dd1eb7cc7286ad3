/// Writes `multipart/form-data` as browsers do (WHATWG HTML, §4.10.21.8).
///
/// It writes what stands around the data; the caller sends the data itself, from wherever it is:
///
///     partHead(a), data of a, partHead(b), data of b, end
package struct MultipartSerializer: Sendable {
    /// What stands between the parts.
    package let boundary: MultipartBoundary

    private var hasParts = false
    private var headByteCount = 0

    /// A serializer with a boundary, which should be random: it must not occur in the data.
    package init(boundary: MultipartBoundary) {
        self.boundary = boundary
    }

    /// The boundary that sixteen random bytes make: 32 digits after a prefix that tells who wrote.
    package static func boundary(random: [UInt8]) -> MultipartBoundary? {
        let digits = random.flatMap {
            [PercentEncoding.hexDigit($0 >> 4), PercentEncoding.hexDigit($0 & 0xF)]
        }
        return MultipartBoundary("----WharfBoundary" + String(decoding: digits, as: UTF8.self))
    }

    /// The Content-Type of the whole.
    package var contentType: String {
        let text = boundary.text
        let isToken = text.utf8.allSatisfy { ASCII.isToken($0) }
        return "multipart/form-data; boundary=" + (isToken ? text : ParameterScanner.quoted(text))
    }

    /// What stands before the data of a part; for a file, give a name and a type.
    ///
    /// Nothing tells a name with `%22` in it from one with a quote, nor where a name of a field ends
    /// that ends in a backslash: so it is with browsers.
    package mutating func partHead(
        name: String, fileName: String? = nil, contentType: MediaType? = nil
    ) -> [UInt8] {
        var result: [UInt8] = []
        if hasParts { result.append("\r\n") }
        hasParts = true
        result.append("--")
        result.append(contentsOf: boundary.text.utf8)
        result.append("\r\nContent-Disposition: form-data; name=\"")
        Self.append(name, to: &result)
        if let fileName {
            result.append("\"; filename=\"")
            Self.append(fileName, to: &result)
        }
        result.append("\"\r\n")
        if let contentType {
            result.append("Content-Type: ")
            result.append(contentsOf: contentType.description.utf8)
            result.append("\r\n")
        }
        result.append("\r\n")
        headByteCount += result.count
        return result
    }

    /// Bytes of what stands around the data, for the heads so far and the end.
    ///
    /// With the lengths of the data it gives the length of the body, before any of it is sent.
    package var byteCount: Int { headByteCount + end.count }

    /// What stands behind the data of the last part.
    package var end: [UInt8] {
        Array("\(hasParts ? "\r\n" : "")--\(boundary.text)--\r\n".utf8)
    }

    /// The names are written as they are, but for what would end them or their line.
    private static func append(_ name: String, to result: inout [UInt8]) {
        for byte in name.utf8 {
            switch byte {
            case ASCII.quote: result.append("%22")
            case ASCII.carriageReturn: result.append("%0D")
            case ASCII.lineFeed: result.append("%0A")
            default: result.append(byte)
            }
        }
    }
}
