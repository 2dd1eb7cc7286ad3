import Testing
import WharfHTTP

/// Bodies that are made to cost much: refused early, or read in linear time and little memory.
///
/// The long ones would take hours if any byte were looked at once for each byte before it.
@Suite struct MultipartHostileTests {
    private static let pieceSize = 4096
    private static let head = partHead("form-data; name=\"a\"; filename=\"f\"")
    private static let end = bytes("\r\n--AaB03x--\r\n")

    private struct Result {
        var partCount = 0
        var dataByteCount = 0
        var fedByteCount = 0
        var longestHeld = 0
        var status: Int?
    }

    /// Feeds a body in pieces, and counts what comes of it.
    private static func read(_ body: [UInt8], pieceSize: Int = pieceSize) throws -> Result {
        var parser = MultipartParser(boundary: try #require(MultipartBoundary("AaB03x")))
        var result = Result()
        do throws(MultipartError) {
            while result.fedByteCount < body.count {
                let piece = body[result.fedByteCount...].prefix(pieceSize)
                result.fedByteCount += piece.count
                var position = 0
                while let event = try parser.next(in: piece.span, from: &position) {
                    switch event {
                    case .part: result.partCount += 1
                    case .data(let range): result.dataByteCount += range.count
                    case .heldData(let bytes):
                        result.dataByteCount += bytes.count
                        result.longestHeld = max(result.longestHeld, bytes.count)
                    case .partEnd, .finished: break
                    }
                }
            }
            try parser.finish()
        } catch {
            result.status = error.status.code
        }
        return result
    }

    /// A text over and over, up to so many bytes, and more than half of them.
    private static func filled(_ text: String, count: Int) -> [UInt8] {
        var result = bytes(text)
        while result.count * 2 <= count { result += result }
        return result
    }

    @Test func `20,000 parts are refused at the first too many`() throws {
        let part = partHead("form-data; name=\"a\"") + bytes("\r\n")
        let body = Array(repeatElement(part, count: 20_000).joined()) + bytes("--AaB03x--\r\n")
        let result = try Self.read(body)
        #expect(result.status == 413)
        #expect(result.partCount == 1000)
        #expect(result.fedByteCount < 1001 * part.count + Self.pieceSize)
    }

    @Test func `20,000 fields in a part are refused at the first too many`() throws {
        let fields = Self.filled("X-1: y\r\n", count: 160_000)
        let start = bytes("--AaB03x\r\nContent-Disposition: form-data; name=\"a\"\r\n")
        let result = try Self.read(start + fields + bytes("\r\nz") + Self.end)
        #expect(result.status == 413)
        #expect(result.fedByteCount <= Self.pieceSize)
    }

    @Test(arguments: ["X: ", "Content-Disposition: form-data; name=\"a\"; filename=\""])
    func `a field of 16 MiB is refused at its limit`(start: String) throws {
        // As a name, it would be full of escapes, too.
        let field = bytes(start) + Self.filled("\\\"", count: 16 << 20)
        let body = bytes("--AaB03x\r\n") + field + bytes("\"\r\n\r\nz") + Self.end
        let result = try Self.read(body)
        #expect(result.status == 413)
        #expect(result.fedByteCount <= 3 * Self.pieceSize)
    }

    @Test func `a name of nothing but escapes is read in linear time`() throws {
        let quotes = String(repeating: "\\\"", count: 3900)
        let body = partHead("form-data; name=\"a\"; filename=\"\(quotes)\"") + Self.end
        #expect(try Self.read(body).status == nil)
        let long = String(repeating: "\\\" ", count: 1 << 20)
        let value = ContentDisposition.parse("form-data; filename=\"\(long)\"")
        #expect(value?.fileName?.utf8.count == 2 << 20)
    }

    @Test func `16 MiB of text before the first part are refused at the limit`() throws {
        let result = try Self.read(
            Self.filled("p", count: 16 << 20) + bytes("\r\n") + Self.head + Self.end)
        #expect(result.status == 400)
        #expect(result.fedByteCount <= 3 * Self.pieceSize)
    }

    @Test(arguments: [
        "\r", "\r\n", "\n", "\u{0}", "-", "\r\n--AaB03", "\r\n--AaB03y", "\r\n--AaB03x-",
        "\r\n--AaB03x \r", "\rxxxxxxxxxx",
    ])
    func `data full of half delimiters is read in linear time`(unit: String) throws {
        let data = Self.filled(unit, count: 4 << 20)
        for pieceSize in [Self.pieceSize, data.count * 2] {
            let result = try Self.read(Self.head + data + Self.end, pieceSize: pieceSize)
            #expect(result.status == nil)
            #expect(result.dataByteCount == data.count)
            // Never more than a delimiter, white space behind it, and a CR.
            #expect(result.longestHeld <= 10 + 64 + 1)
        }
    }

    @Test func `a field of a form of 16 MiB is handed on in pieces`() throws {
        let data = Self.filled("v", count: 16 << 20)
        let result = try Self.read(partHead("form-data; name=\"a\"") + data + Self.end)
        #expect(result.status == nil)
        #expect(result.dataByteCount == data.count)
        #expect(result.longestHeld == 0)
    }

    @Test func `16 MiB after the last delimiter are ignored`() throws {
        let result = try Self.read(Self.head + Self.end + Self.filled("e", count: 16 << 20))
        #expect(result.status == nil)
        #expect(result.partCount == 1)
        #expect(result.dataByteCount == 0)
    }

    @Test(arguments: ["--AaB03x\r\nContent-Dispo", "", "\r\nz\r\n", "\r\nz\r\n--AaB03x"])
    func `a body without an end is refused`(text: String) throws {
        let start = text.hasPrefix("--") ? [] : Self.head
        #expect(try Self.read(start + bytes(text)).status == 400)
    }
}
