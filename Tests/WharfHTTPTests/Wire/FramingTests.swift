import Testing
import WharfHTTP

@Suite struct FramingTests {
    @Test(arguments: [
        ("X: y", BodyFraming.none), ("Content-Length: 0", .length(0)),
        ("Content-Length: 5", .length(5)), ("content-length:\t 005 \t", .length(5)),
        ("Content-Length: 9223372036854775807", .length(.max)),
        ("Transfer-Encoding: chunked", .chunked), ("tRANSFER-eNCODING: CHUNKED", .chunked),
    ])
    func `framing follows the fields`(line: String, framing: BodyFraming) throws {
        #expect(try #require(parseHead(request(line)).value).framing == framing)
    }

    @Test(arguments: [
        ("Content-Length: +5", 400), ("Content-Length: -5", 400), ("Content-Length: -0", 400),
        ("Content-Length: 0_5", 400), ("Content-Length: 5e0", 400), ("Content-Length: 5.0", 400),
        ("Content-Length: 0x5", 400), ("Content-Length: 5,", 400), ("Content-Length: 5, 5", 400),
        ("Content-Length: 4 2", 400), ("Content-Length: \"5\"", 400), ("Content-Length: 5a", 400),
        ("Content-Length: ", 400), ("Content-Length:", 400),
        ("Content-Length: \u{D9}\u{A5}", 400), ("Content-Length: 9223372036854775808", 400),
        ("Content-Length: 18446744073709551621", 400),
        ("Content-Length: 99999999999999999999999999999999", 400),
        ("Content-Length: 5\r\nContent-Length: 5", 400),
        ("Content-Length: 5\r\nContent-Length: 6", 400),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", 400),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked, chunked", 400), ("Transfer-Encoding: ,chunked", 400),
        ("Transfer-Encoding: gzip, chunked", 400), ("Transfer-Encoding: chunked;q=1", 400),
        ("Transfer-Encoding: \"chunked\"", 400), ("Transfer-Encoding:", 400),
        ("Transfer-Encoding: \u{A0}chunked", 400), ("Transfer-Encoding: chunked\u{B}", 400),
        ("Transfer-Encoding: xchunked", 501), ("Transfer-Encoding: chunkedchunked", 501),
        ("Transfer-Encoding: identity", 501), ("Transfer-Encoding: gzip", 501),
        ("Transfer-Encoding : chunked", 400), ("Expect: 200-ok", 417), ("Expect: ", 417),
    ])
    func `doubtful framing is refused`(line: String, status: Int) {
        #expect(parseHead(request(line)).status == status)
    }

    @Test func `HTTP 1.0 has no transfer codings`() {
        let input = request("Transfer-Encoding: chunked", version: "1.0")
        #expect(parseHead(input).status == 400)
    }

    @Test(arguments: [
        ("X: y", "1.1", true), ("Connection: close", "1.1", false),
        ("Connection: CLOSE", "1.1", false), ("Connection: a, close ,b", "1.1", false),
        ("Connection: a\r\nConnection: close", "1.1", false), ("Connection: closed", "1.1", true),
        ("X: y", "1.0", false), ("Connection: keep-alive", "1.0", true),
        ("Connection: Keep-Alive, close", "1.0", false), ("Connection:", "1.1", true),
        ("Connection: ,,, ,", "1.1", true), ("Connection: close", "1.5", false),
    ])
    func `the connection goes on if both want it`(line: String, version: String, goesOn: Bool)
        throws
    {
        let head = try #require(parseHead(request(line, version: version)).value)
        #expect(head.isKeepAlive == goesOn)
    }

    @Test(arguments: [
        ("Expect: 100-continue\r\nContent-Length: 5", "1.1", true),
        ("Expect: 100-Continue\r\nTransfer-Encoding: chunked", "1.1", true),
        ("Expect: 100-continue\r\nContent-Length: 0", "1.1", false),
        ("Expect: 100-continue", "1.1", false),
        ("Expect: 100-continue\r\nContent-Length: 5", "1.0", false),
        ("Expect: anything\r\nContent-Length: 5", "1.0", false),
        ("Content-Length: 5", "1.1", false),
    ])
    func `an expectation counts with a body in HTTP 1.1`(
        lines: String, version: String, expects: Bool
    ) throws {
        let head = try #require(parseHead(request(lines, version: version)).value)
        #expect(head.expectsContinue == expects)
    }

    @Test(arguments: [
        ("Connection: Upgrade\r\nUpgrade: websocket", "1.1", true),
        ("Connection: keep-alive, upgrade\r\nUpgrade: websocket", "1.1", true),
        ("Upgrade: websocket", "1.1", false), ("Connection: Upgrade", "1.1", false),
        ("Connection: Upgrade\r\nUpgrade: websocket", "1.0", false),
    ])
    func `an upgrade needs both fields`(lines: String, version: String, has: Bool) throws {
        #expect(try #require(parseHead(request(lines, version: version)).value).hasUpgrade == has)
    }
}
