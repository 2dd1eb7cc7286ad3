/// The text that separates the parts of a multipart body (RFC 2046 §5.1.1).
package struct MultipartBoundary: Sendable, Hashable {
    /// The boundary without the hyphens before it.
    package let text: String

    /// A boundary, or nil if the text cannot be one.
    package init?(_ text: String, boundaryMax: Int = MultipartLimits().boundaryMax) {
        guard (1...max(boundaryMax, 1)).contains(text.utf8.count),
            text.utf8.allSatisfy({ Self.isCharacter($0) || $0 == ASCII.space }),
            text.utf8.last != ASCII.space
        else { return nil }
        self.text = text
    }

    /// The boundary that the Content-Type of a form gives.
    ///
    /// Throws 415 if the type is none of `multipart/form-data`, and 400 if there is no boundary,
    /// an invalid one, or more than one: whoever looked at the body before may have taken another.
    package init(
        contentType: String?, limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartError) {
        var scanner = ParameterScanner(Array((contentType ?? "").utf8))
        scanner.skipWhitespace()
        guard let type = scanner.token(), scanner.take(ASCII.slash),
            let subtype = scanner.token(), type.lowercasedASCII == "multipart",
            subtype.lowercasedASCII == "form-data"
        else { throw MultipartError(.unsupportedMediaType, "not multipart/form-data") }
        guard let text = try Self.parameter(&scanner) else {
            throw .malformed("no boundary")
        }
        guard let boundary = Self(text, boundaryMax: limits.boundaryMax) else {
            throw .malformed("invalid boundary")
        }
        self = boundary
    }

    /// The start of every delimiter but one at the very start of the body.
    var delimiter: [UInt8] { Array("\r\n--\(text)".utf8) }

    private static func parameter(
        _ scanner: inout ParameterScanner
    ) throws(MultipartError) -> String? {
        var boundary: String?
        while true {
            scanner.skipWhitespace()
            if scanner.isAtEnd { return boundary }
            guard scanner.take(ASCII.semicolon) else { throw .malformed("invalid media type") }
            scanner.skipWhitespace()
            // RFC 9110 §5.6.6: an empty parameter is allowed.
            if scanner.isAtEnd || scanner.next == ASCII.semicolon { continue }
            guard let name = scanner.token()?.lowercasedASCII, scanner.take(ASCII.equals),
                let value = value(&scanner)
            else { throw .malformed("invalid parameter of the media type") }
            // RFC 2231 knows `boundary*` and `boundary*0`: others may read those.
            guard name == "boundary" || name.hasPrefix("boundary*") else { continue }
            guard boundary == nil, name == "boundary" else {
                throw .malformed("more than one boundary")
            }
            boundary = value
        }
    }

    private static func value(_ scanner: inout ParameterScanner) -> String? {
        if scanner.next == ASCII.quote { return scanner.quotedString() }
        // RFC 9110 §5.6.6 wants a token here, and so `/`, `:` and `=` in quotes. Opera 8 and
        // JavaMail send boundaries with them bare.
        return scanner.run { isCharacter($0) || ASCII.isToken($0) }
    }

    // RFC 2046 §5.1.1: `bcharsnospace`.
    private static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, ASCII.zero...ASCII.colon: true
        case 0x27...0x29, 0x2B...ASCII.slash, ASCII.equals, ASCII.question, 0x5F: true
        default: false
        }
    }
}
