import Testing
import WharfHTTP

@Suite struct HeadSerializerTests {
    private func written(_ write: (inout [UInt8]) -> Void) -> String {
        var output: [UInt8] = []
        write(&output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, "HTTP/1.1 200 OK\r\n"), (.continue, "HTTP/1.1 100 Continue\r\n"),
        (HTTPResponse.Status(code: 299), "HTTP/1.1 299 \r\n"),
        (HTTPResponse.Status(code: 7), "HTTP/1.1 007 \r\n"),
        (HTTPResponse.Status(code: 200, reasonPhrase: "Fine"), "HTTP/1.1 200 Fine\r\n"),
        (421, "HTTP/1.1 421 Misdirected Request\r\n"),
    ])
    func `a status line is written`(status: HTTPResponse.Status, line: String) {
        #expect(written { HeadSerializer.appendStatusLine(status, to: &$0) } == line)
    }

    @Test(arguments: [
        (0, "0"), (9, "9"), (10, "10"), (12_345_678, "12345678"), (123_456_789, "123456789"),
        (Int64.max, "9223372036854775807"),
    ])
    func `a length is written in decimal`(count: Int64, text: String) {
        let line = written { HeadSerializer.appendContentLength(count, to: &$0) }
        #expect(line == "Content-Length: \(text)\r\n")
    }

    @Test func `no value can end its line`() {
        let evil = "a\r\nX: y\u{0}"
        #expect(written { HeadSerializer.appendField("A", evil, to: &$0) } == "A: a  X: y \r\n")
        let span = written { HeadSerializer.appendField("A", bytes(evil).span, to: &$0) }
        #expect(span == "A: a  X: y \r\n")
        let fields: HTTPFields = [.location: evil]
        #expect(written { HeadSerializer.appendFields(fields, to: &$0) } == "Location: a  X: y\r\n")
    }

    @Test(arguments: [
        ("/a?b", "GET /a?b HTTP/1.1\r\n"), ("", "GET / HTTP/1.1\r\n"),
        ("/a b\r\n\u{E9}#", "GET /a%20b%0D%0A%C3%A9%23 HTTP/1.1\r\n"),
    ])
    func `a request line is written`(path: String, line: String) {
        let request = HTTPRequest(method: .get, scheme: nil, authority: "a", path: path)
        #expect(written { HeadSerializer.appendRequestLine(request, to: &$0) } == line)
    }

    @Test func `CONNECT is written with the authority`() {
        let request = HTTPRequest(method: .connect, scheme: nil, authority: "a:80", path: nil)
        let line = written { HeadSerializer.appendRequestLine(request, to: &$0) }
        #expect(line == "CONNECT a:80 HTTP/1.1\r\n")
    }

    @Test func `fields that were read are written the same`() throws {
        let input = request("A: b", "C:d", "E: \t f \t", "G: \u{FF}", "H:")
        let head = try #require(parseHead(input).value)
        var output: [UInt8] = []
        HeadSerializer.appendFields(head.request.headerFields, to: &output)
        #expect(output == latin1("Host: a\r\nA: b\r\nC: d\r\nE: f\r\nG: \u{FF}\r\nH: \r\n"))
    }

    @Test func `fields that were changed are written in their order`() {
        var fields: HTTPFields = [.server: "a", .date: "b", .eTag: "c", .vary: "d"]
        fields[.date] = "longer than it was"
        fields[.eTag] = nil
        fields.append(HTTPField(name: .age, value: "1"))
        #expect(
            written { HeadSerializer.appendFields(fields, to: &$0) }
                == "Server: a\r\nDate: longer than it was\r\nVary: d\r\nAge: 1\r\n")
    }
}
