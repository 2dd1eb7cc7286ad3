import Testing
import WharfHTTP

@Suite struct ChunkedTests {
    @Test(arguments: [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("A\r\n0123456789\r\n000\r\n\r\n", "0123456789"),
        ("1\r\na\r\n1\r\nb\r\n0\r\n\r\n", "ab"), ("5;a\r\nhello\r\n0;b=c\r\n\r\n", "hello"),
        ("5;a=b;c=\"d e\"\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5; a=\"\\\"\"\r\nhello\r\n0\r\n\r\n", "hello"),
    ])
    func `chunks are joined`(text: String, data: String) throws {
        let body = try #require(decodeChunks(bytes(text)).value)
        #expect(body.data == bytes(data))
        #expect(body.consumed == text.utf8.count)
        #expect(body.trailers.isEmpty)
    }

    @Test(arguments: [
        "0x5\r\nhello\r\n", "+5\r\nhello\r\n", "-5\r\nhello\r\n", "0_5\r\nhello\r\n",
        "5 \r\nhello\r\n", " 5\r\nhello\r\n", "\r\nhello\r\n", "5g\r\nhello\r\n",
        "5\u{B}\r\nhello\r\n", "5\nhello\n0\n\n", "5\r\r\nhello", "5\r\nhelloXX0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n", "5\r\nhello\rX", "00000000000000005\r\nhello\r\n",
        "8000000000000000\r\n", "ffffffffffffffff\r\n", "fffffffffffffffff\r\n",
        "5;\r\nhello\r\n", "5;a=\r\nhello\r\n", "5;=b\r\nhello\r\n", "5;a=\"b\r\nhello\r\n",
        "5;a=\"b\"c\r\nhello\r\n", "5;a\nhello\r\n", "5;a\u{0}\r\nhello\r\n", "5 a\r\nhello",
        "5;a b\r\nhello\r\n", "5;a\r\r\nhello", ";a\r\n", "0\r\nX : y\r\n\r\n",
        "0\r\n X: y\r\n\r\n",
        "0\r\nX: y\n\r\n", "0\r\nX: y\r\n z\r\n\r\n", "0\r\n\rX", "0\r\nX\r\n\r\n", "0\r\n\n",
    ])
    func `malformed chunks are refused`(text: String) {
        #expect(decodeChunks(latin1(text)).status == 400)
    }

    @Test func `a chunk may be as large as a number can be`() throws {
        var decoder = ChunkedDecoder()
        let input = bytes("7fffffffffffffff\r\nabc")
        let step = try decoder.decode(input.span)
        #expect(step.data == 18..<21)
        #expect(!decoder.isFinished)
    }

    @Test func `a chunked body may end with trailers`() throws {
        let input = bytes("5\r\nhello\r\n0\r\nX-T: 1\r\nContent-Length: 99\r\n\r\nnext")
        let body = try #require(decodeChunks(input).value)
        #expect(body.trailers[HTTPField.Name("x-t")!] == "1")
        #expect(body.trailers.count == 2)
        #expect(body.consumed == input.count - 4)
    }

    @Test func `trailers are bounded`() {
        let line = "X: " + String(repeating: "v", count: 4000) + "\r\n"
        #expect(decodeChunks(bytes("0\r\n" + line + line + "\r\n")).value != nil)
        #expect(decodeChunks(bytes("0\r\n" + line + line + line + "\r\n")).status == 431)
        let endless = "0\r\n" + String(repeating: "X: y\r\n", count: 20_000)
        #expect(decodeChunks(bytes(endless)).status == 431)
    }

    @Test func `extensions are bounded in a line and in all`() {
        func chunk(_ count: Int) -> String {
            "1;" + String(repeating: "a", count: count - 1) + "\r\nx\r\n"
        }
        #expect(decodeChunks(bytes(chunk(4096) + "0\r\n\r\n")).value != nil)
        #expect(decodeChunks(bytes(chunk(4097) + "0\r\n\r\n")).status == 400)
        let many = String(repeating: chunk(4096), count: 4)
        #expect(decodeChunks(bytes(many + "0\r\n\r\n")).value != nil)
        #expect(decodeChunks(bytes(many + "0;a\r\n\r\n")).status == 400)
    }

    @Test func `everything is consumed but what follows the body`() throws {
        var decoder = ChunkedDecoder()
        for piece in ["", "1", "0;", "a", "\r", "\n"] {
            let input = bytes(piece)
            let step = try decoder.decode(input.span)
            #expect(step.consumed == input.count)
            #expect(step.data.isEmpty)
        }
    }

    @Test func `what was encoded is decoded again`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var wire: [UInt8] = []
            var data: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let count = Int.random(in: 0..<5000, using: &generator)
                let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                ChunkedEncoder.appendHead(count: count, to: &wire)
                wire += piece
                if count > 0 { wire += ChunkedEncoder.dataEnd }
                data += piece
            }
            ChunkedEncoder.appendEnd(trailers: [.eTag: "\"x\""], to: &wire)
            let body = try #require(decodeChunks(wire).value)
            #expect(body.data == data)
            #expect(body.trailers == [.eTag: "\"x\""])
            #expect(body.consumed == wire.count)
        }
    }

    @Test(arguments: [(1, "1"), (15, "f"), (16, "10"), (255, "ff"), (65536, "10000")])
    func `a chunk size is written in hexadecimal`(count: Int, text: String) {
        var output: [UInt8] = []
        ChunkedEncoder.appendHead(count: count, to: &output)
        #expect(output == bytes(text + "\r\n"))
        output = []
        ChunkedEncoder.appendHead(count: .max, to: &output)
        #expect(output == bytes("7fffffffffffffff\r\n"))
    }
}
