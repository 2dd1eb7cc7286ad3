import Testing
import WharfHTTP

@Suite struct MultipartParserTests {
    static let form = bytes(
        "--AaB03x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhello\r\n"
            + "--AaB03x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n"
            + "Content-Type: image/png\r\n\r\n\r\n--AaB03\r\n\r\n--AaB03x--\r\n")

    @Test func `a form is read in order`() {
        let form = parseForm(Self.form)
        #expect(form.isFinished)
        #expect(
            form.parts == [
                .init(name: "text", data: bytes("hello"), isComplete: true),
                .init(
                    name: "file", fileName: "a.bin", contentType: "image/png",
                    data: bytes("\r\n--AaB03\r\n"), isComplete: true),
            ])
    }

    @Test(arguments: Feeding.allCases)
    func `where a form is cut does not matter`(feeding: Feeding) {
        let whole = parseForm(Self.form)
        for first in 0...Self.form.count {
            for second in first...Self.form.count {
                #expect(parseForm(Self.form, cuts: [first, second], feeding: feeding) == whole)
            }
        }
    }

    @Test func `a form that comes short is never complete`() {
        let end = Self.form.count - 2
        for count in 0..<end {
            let form = parseForm(Array(Self.form[..<count]))
            #expect(form.end == .truncated, "\(count) bytes")
        }
        // What follows the last delimiter is of no account.
        #expect(parseForm(Array(Self.form[..<end])).isFinished)
    }

    @Test func `data is found in place`() throws {
        let input = partHead("form-data; name=a") + bytes("hello\r\n--AaB03x--")
        var parser = MultipartParser(boundary: try #require(MultipartBoundary("AaB03x")))
        var position = 0
        var ranges: [Range<Int>] = []
        while let event = try parser.next(in: input.span, from: &position) {
            if case .data(let range) = event { ranges.append(range) }
        }
        #expect(ranges.map { input[$0] } == [bytes("hello")[...]])
    }

    @Test(arguments: [
        ("--AaB03x--", 0), ("--AaB03x--\r\n", 0), ("\r\n--AaB03x--", 0), ("--AaB03x--more", 0),
        ("--AaB03x \t\r\nContent-Disposition: form-data; name=a\r\n\r\nb\r\n--AaB03x--", 1),
        ("--AaB03x\r\nContent-Disposition: form-data; name=a\r\n\r\n--AaB03x--", 1),
        ("\r\n--AaB03x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--AaB03x--", 1),
        ("Hi!\r\n--AaB03x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--AaB03x--", 1),
    ])
    func `odd but sound bodies are read`(text: String, partCount: Int) {
        let form = parseForm(bytes(text))
        #expect(form.isFinished)
        #expect(form.parts.count == partCount)
        #expect(parseForm(bytes(text), cuts: Array(1..<text.utf8.count)) == form)
    }

    @Test(arguments: [
        "a\r\n", "\r\n", "\r", "\n--AaB03x", "\r\n--AaB03xx\r\n", "\r\n--AaB03x\n",
        "\r\n--AaB03x-\r\n",
        "\r\n--AaB03x \r\r\n", "\r\n--AaB03x\r", "\r\r\n-", "\r\n--AaB03x -", "--AaB03x",
        "\r\n--AaB03x-x-", "\r\n\r\n\r\n--\r\n--AaB03", "\r\n--AaB03x\r\r\n--AaB03x-",
    ])
    func `what only looks like a delimiter is data`(text: String) {
        let body =
            partHead("form-data; name=a") + bytes("b" + text) + bytes("\r\n--AaB03x--\r\n")
        let form = parseForm(body)
        #expect(form.isFinished)
        #expect(form.parts.map(\.data) == [bytes("b" + text)])
        #expect(parseForm(body, cuts: Array(1..<body.count)) == form)
        #expect(parseForm(body, cuts: Array(1..<body.count), feeding: .buffer) == form)
    }

    @Test(arguments: [
        "--AaB03x\nContent-Disposition: form-data; name=a\n\nb\n--AaB03x--\n",
        "--AaB03x\r\nContent-Disposition: form-data; name=a\n\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Type: text/plain\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Disposition: attachment; name=a\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Disposition: form-data; name=a\r\n"
            + "Content-Disposition: form-data; name=b\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Disposition: form-data; name=a\u{0}\r\n\r\nb\r\n--AaB03x--\r\n",
        "--AaB03x\r\nContent-Disposition : form-data; name=a\r\n\r\nb\r\n--AaB03x--\r\n",
        "Hi!\r\n--AaB03x--\r\n", "--AaB03xx\r\n\r\nb\r\n--AaB03x--\r\n", "x--AaB03x\r\n--AaB03x--",
    ])
    func `malformed bodies are refused`(text: String) {
        let form = parseForm(bytes(text))
        #expect(form.status == 400)
        #expect(parseForm(bytes(text), cuts: Array(1..<text.utf8.count)) == form)
    }

    @Test func `after an error every call throws it`() throws {
        var parser = MultipartParser(boundary: try #require(MultipartBoundary("AaB03x")))
        let bad = bytes("--AaB03x" + String(repeating: " ", count: 65))
        var position = 0
        let thrown = #expect(throws: MultipartError.self) {
            try parser.next(in: bad.span, from: &position)
        }
        let error = try #require(thrown)
        // Read on, this would be a form.
        let good = bytes("\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--AaB03x--")
        position = 0
        for _ in 0..<5 {
            #expect(throws: error) { try parser.next(in: good.span, from: &position) }
        }
        #expect(throws: error) { try parser.finish() }
    }
}
