import Testing
import WharfHTTP

@Suite struct FieldLineTests {
    @Test(arguments: [
        ("X-A: b", "b"), ("X-A:b", "b"), ("X-A:", ""), ("X-A: \t ", ""), ("x-a:\tb \t", "b"),
        ("X-A: b  c", "b  c"), ("X-A: \u{E9}\u{FF}", "\u{E9}\u{FF}"), ("X-A: b: c", "b: c"),
        ("X-A: 0123456789 tab\tinside 0123456789", "0123456789 tab\tinside 0123456789"),
        ("X-A: caf\u{C3}\u{A9}", "caf\u{E9}"),
    ])
    func `a valid field line is taken`(line: String, value: String) throws {
        let head = try #require(parseHead(request(line)).value)
        #expect(head.request.headerFields[HTTPField.Name("x-a")!] == value)
    }

    @Test(arguments: [
        "X-A : b", "X-A\t: b", "XA b", "X-A", ": b", ":", " X-A: b", "\tX-A: b", "X\u{0}A: b",
        "X-A\u{A0}: b", "X@A: b", "X\"A: b", "X-A: b\u{0}c", "X-A: b\rc", "X-A: b\nc",
        "X-A: b\u{C}c", "X-A: b\u{7F}c", "X-A: b\u{B}", "X-A: b\r\n c", "X-A: b\r\n\tc",
        "X-A: 0123456789\u{1}0123456789", "X-A: b\r", "\r X-A: b", "X-A:\rb",
    ])
    func `an invalid field line is refused`(line: String) {
        #expect(parseHead(request(line)).status == 400)
        let first = "GET / HTTP/1.1\r\n\(line)\r\nHost: a\r\n\r\n"
        #expect(parseHead(latin1(first)).status == 400)
    }

    @Test func `lines that end in a bare LF are refused`() {
        #expect(parseHead(bytes("GET / HTTP/1.1\nHost: a\n\n")).status == 400)
        #expect(parseHead(bytes("GET / HTTP/1.1\r\nHost: a\n\r\n")).status == 400)
        #expect(parseHead(bytes("GET / HTTP/1.1\r\nHost: a\r\n\n")).status == 400)
        #expect(parseHead(bytes("GET / HTTP/1.1\r\nHost: a\r\n\rx")).status == 400)
    }

    @Test func `fields keep their order, their spelling and their repetition`() throws {
        let head = try #require(parseHead(request("X-b: 1", "x-A: 2", "X-B: 3")).value)
        let fields = head.request.headerFields
        #expect(fields.map(\.name.rawName) == ["Host", "X-b", "x-A", "X-B"])
        #expect(fields[values: HTTPField.Name("x-b")!] == ["1", "3"])
    }

    @Test(arguments: [
        "a", "a:80", "a:", "127.0.0.1:8080", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]", "a.b-c_d~e",
        "%41", "a:65535",
    ])
    func `a valid Host is the authority`(host: String) throws {
        let input = bytes("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(try #require(parseHead(input).value).request.authority == host)
    }

    @Test(arguments: [
        "a, b", "a,b", "u@a", "a/b", "a b", "a:80:80", "a:x", "a:65536", "a:999999999999999999999",
        "[::1", "[]", "[a]", "[::1]x", "::1", "a?b", "a#b", "\"a\"", "a\\b", "<a>", "http://a",
        "caf\u{E9}", "a:+80", "a:-1", "[::1%25eth0]", "", ":80",
    ])
    func `an invalid Host is refused`(host: String) {
        #expect(parseHead(latin1("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")).status == 400)
    }

    @Test func `HTTP 1.1 needs exactly one Host and HTTP 1.0 none`() throws {
        #expect(parseHead(bytes("GET / HTTP/1.1\r\n\r\n")).status == 400)
        #expect(parseHead(bytes("GET http://a/ HTTP/1.1\r\n\r\n")).status == 400)
        #expect(parseHead(request("Host: a")).status == 400)
        #expect(parseHead(request("Host: b")).status == 400)
        // Health checks speak 1.0 like that.
        #expect(parseHead(bytes("GET / HTTP/1.0\r\nHost: \r\n\r\n")).value != nil)
        #expect(parseHead(bytes("GET http://a/ HTTP/1.1\r\nHost: \r\n\r\n")).value != nil)
        let head = try #require(parseHead(bytes("GET / HTTP/1.0\r\n\r\n")).value)
        #expect(head.request.authority == nil)
        #expect(!head.isKeepAlive)
    }
}
