import Testing
import WharfHTTP

@Suite struct MultipartSerializerTests {
    @Test func `a form is written as browsers do`() throws {
        let boundary = try #require(MultipartBoundary("AaB03x"))
        var serializer = MultipartSerializer(boundary: boundary)
        #expect(serializer.contentType == "multipart/form-data; boundary=AaB03x")
        var body = serializer.partHead(name: "na\"me\r\n;x") + bytes("hello")
        body += serializer.partHead(
            name: "file", fileName: "back\\slash 100% \"q\".txt",
            contentType: MediaType("text/plain"))
        body += bytes("data") + serializer.end
        let text = """
            --AaB03x
            Content-Disposition: form-data; name="na%22me%0D%0A;x"

            hello
            --AaB03x
            Content-Disposition: form-data; name="file"; filename="back\\slash 100% %22q%22.txt"
            Content-Type: text/plain

            data
            --AaB03x--

            """
        #expect(String(decoding: body, as: UTF8.self) == text.replacing("\n", with: "\r\n"))
        #expect(serializer.byteCount + 9 == body.count)
    }

    @Test func `a form without parts is its end`() throws {
        let serializer = MultipartSerializer(boundary: try #require(MultipartBoundary("a b")))
        #expect(serializer.contentType == "multipart/form-data; boundary=\"a b\"")
        #expect(serializer.end == bytes("--a b--\r\n"))
        #expect(serializer.byteCount == 9)
    }

    @Test func `a random boundary is one`() throws {
        let boundary = MultipartSerializer.boundary(random: Array(0..<16))
        #expect(boundary?.text == "----WharfBoundary000102030405060708090A0B0C0D0E0F")
    }

    @Test(arguments: 0..<8) func `what was written is read again`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let random = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let boundary = try #require(MultipartSerializer.boundary(random: random))
            var serializer = MultipartSerializer(boundary: boundary)
            var body: [UInt8] = []
            var parts: [ParsedForm.Part] = []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let part = ParsedForm.Part(
                    name: Self.name(&generator),
                    fileName: Bool.random(using: &generator) ? Self.name(&generator) : nil,
                    data: Self.data(&generator, boundary.text), isComplete: true)
                body += serializer.partHead(name: part.name, fileName: part.fileName) + part.data
                parts.append(part)
            }
            body += serializer.end
            let cuts = (0..<4).map { _ in Int.random(in: 0...body.count, using: &generator) }
            let form = parseForm(body, boundary: boundary.text, cuts: cuts.sorted())
            #expect(form == ParsedForm(parts: parts, end: .finished))
            #expect(try MultipartBoundary(contentType: serializer.contentType) == boundary)
        }
    }

    /// Any text but what no form can tell; see ``MultipartSerializer``.
    private static func name(_ generator: inout SeededGenerator) -> String {
        let pieces = ["a", "ü", "文件", "😀", "\"", "\\x", "\r\n", ";", "=", "% ", "'", " ", "/"]
        let count = Int.random(in: 0...8, using: &generator)
        let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
        return text.joined()
    }

    private static func data(_ generator: inout SeededGenerator, _ boundary: String) -> [UInt8] {
        let pieces = ["\r\n", "\r", "--", "\r\n--", "\r\n--" + boundary.dropLast(), "x", "\u{0}"]
        let count = Int.random(in: 0...20, using: &generator)
        return (0..<count).flatMap { _ in bytes(pieces.randomElement(using: &generator) ?? "") }
    }
}
