import Testing
import WharfHTTP

func parseResponse(
    _ input: [UInt8], to method: HTTPRequest.Method = .get, cuts: [Int] = []
) -> Outcome<HTTPResponseHead> {
    var parser = HTTPResponseParser(requestMethod: method)
    do throws(HTTPParseError) {
        for cut in cuts + [input.count] {
            let piece = input[..<cut]
            if let head = try parser.parse(piece.span) { return .complete(head) }
        }
        return .incomplete
    } catch {
        return .refused(error)
    }
}

@Suite struct ResponseParserTests {
    @Test(arguments: [
        ("200 OK", 200, "OK"), ("404 Not Found", 404, "Not Found"), ("299 ", 299, ""),
        ("299", 299, ""), ("200 caf\u{E9}", 200, "caf\u{E9}"), ("999 x", 999, "x"),
    ])
    func `a status line is read`(line: String, code: Int, phrase: String) throws {
        let head = try #require(parseResponse(latin1("HTTP/1.1 \(line)\r\n\r\n")).value)
        #expect(head.response.status.code == code)
        #expect(head.response.status.reasonPhrase == phrase)
    }

    @Test(arguments: [
        "HTTP/2.0 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1  200 OK", "http/1.1 200 OK", "HTTP/1.1 2x0",
        "HTTP/1.1 2000", "HTTP/1.1 000 x", "HTTP/1.1 099 x", "HTTP/1.1 200 a\u{0}", "ICY 200 OK",
        "HTTP/1.1 200\tOK",
    ])
    func `a malformed status line is refused`(line: String) {
        #expect(parseResponse(latin1(line + "\r\n\r\n")).status == 502)
    }

    @Test(arguments: [
        ("GET", "200", "Content-Length: 5", BodyFraming.length(5)),
        ("GET", "200", "Transfer-Encoding: chunked", .chunked),
        ("GET", "200", "X: y", .untilClose), ("HEAD", "200", "Content-Length: 5", .none),
        ("GET", "204", "Content-Length: 5", .none), ("GET", "304", "Content-Length: 5", .none),
        ("GET", "100", "X: y", .none), ("CONNECT", "200", "X: y", .none),
        ("CONNECT", "403", "Content-Length: 1", .length(1)),
    ])
    func `the body of a response ends as the exchange says`(
        method: String, code: String, line: String, framing: BodyFraming
    ) throws {
        let input = bytes("HTTP/1.1 \(code) x\r\n\(line)\r\n\r\nrest")
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let head = try #require(parseResponse(input, to: method).value)
        #expect(head.framing == framing)
        #expect(head.byteCount == input.count - 4)
        #expect(head.isKeepAlive == (framing != .untilClose))
    }

    @Test func `conflicting framing is refused`() {
        let lines = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(parseResponse(bytes("HTTP/1.1 200 OK\r\n" + lines)).status == 502)
    }

    @Test func `what was written is read again`() throws {
        for code in [100, 200, 204, 207, 299, 301, 404, 421, 500, 599, 600, 999] {
            let status = HTTPResponse.Status(code: code, reasonPhrase: "Some\r\nPhrase")
            let fields: HTTPFields = [.server: "w", .setCookie: "a=b", .setCookie: "c=d"]
            var output: [UInt8] = []
            HeadSerializer.appendStatusLine(status, to: &output)
            HeadSerializer.appendFields(fields, to: &output)
            HeadSerializer.appendEnd(to: &output)
            let head = try #require(parseResponse(output).value)
            #expect(head.response.status.code == code)
            #expect(head.response.status.reasonPhrase == "Some  Phrase")
            #expect(head.response.headerFields == fields)
        }
    }
}
