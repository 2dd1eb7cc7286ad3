import Testing
import WharfHTTP

@Suite struct RequestLineTests {
    @Test(arguments: [
        ("GET / HTTP/1.1", "GET", "/"),
        ("HEAD /a HTTP/1.1", "HEAD", "/a"),
        ("PUT /0123456789abcdef?x=[]|{} HTTP/1.1", "PUT", "/0123456789abcdef?x=[]|{}"),
        ("POST //a//b HTTP/1.1", "POST", "//a//b"),
        ("PROPFIND /a HTTP/1.1", "PROPFIND", "/a"),
        ("PROPPATCH /a HTTP/1.1", "PROPPATCH", "/a"),
        ("MKCOL /a HTTP/1.1", "MKCOL", "/a"),
        ("BREW /pot HTTP/1.1", "BREW", "/pot"),
        ("get /a HTTP/1.1", "get", "/a"),
        ("GET /a HTTP/1.0", "GET", "/a"),
        ("GET /a HTTP/1.9", "GET", "/a"),
        ("\r\nGET /a HTTP/1.1", "GET", "/a"),
        ("\r\n\r\nGET /a HTTP/1.1", "GET", "/a"),
        ("OPTIONS * HTTP/1.1", "OPTIONS", "*"),
        ("M-SEARCH-VERY-LONG-NAME /a HTTP/1.1", "M-SEARCH-VERY-LONG-NAME", "/a"),
    ])
    func `a well-formed request line is taken`(line: String, method: String, path: String) throws {
        let input = bytes(line + "\r\nHost: a\r\n\r\n")
        let head = try #require(parseHead(input).value)
        #expect(head.request.method.rawValue == method)
        #expect(head.request.path == path)
        #expect(head.byteCount == input.count)
        #expect(head.version == (line.hasSuffix("1.0") ? .http10 : .http11))
    }

    @Test(arguments: [
        ("GET /\n", 400), (" GET / HTTP/1.1", 400), ("GET  / HTTP/1.1", 400),
        ("GET /  HTTP/1.1", 400), ("GET /a b HTTP/1.1", 400), ("GET\t/ HTTP/1.1", 400),
        ("GET / HTTP/1.1 ", 400), ("GET /\tHTTP/1.1", 400), ("GET / HTTP/1.1\t", 400),
        ("GET / http/1.1", 400), ("GET / HTTP/1", 400), ("GET / HTTP/1.", 400),
        ("GET / HTTP/1.32", 400), ("GET / HTTP/11.1", 400), ("GET / HTTP/-1.1", 400),
        ("GET / HTTP /1.1", 400), ("GET / HTTP/1.1x", 400), ("GET / HTTPS/1.1", 400),
        ("GET / XTTP/1.1", 400), ("GET /", 400), ("GET", 400), ("GET ", 400), ("", 400),
        ("GET / HTTP/2.0", 505), ("GET / HTTP/3.0", 505), ("GET / HTTP/0.9", 505),
        ("PRI * HTTP/2.0", 505), ("GET / HTTP/1.1\r", 400), ("GET /\r HTTP/1.1", 400),
        ("G\"T / HTTP/1.1", 400), ("G(T) / HTTP/1.1", 400), ("GE\u{E9} / HTTP/1.1", 400),
        ("GET /a#b HTTP/1.1", 400), ("GET /\u{0} HTTP/1.1", 400), ("GET /\u{7F} HTTP/1.1", 400),
        ("GET /\u{FF} HTTP/1.1", 400), ("GET /0123456\u{80} HTTP/1.1", 400),
        ("GET * HTTP/1.1", 400), ("GET ! HTTP/1.1", 400), ("GET a HTTP/1.1", 400),
        ("GET a:80 HTTP/1.1", 400), ("OPTIONS ** HTTP/1.1", 400),
        ("\r\n\r\n\r\nGET / HTTP/1.1", 400), ("\nGET / HTTP/1.1", 400), ("\rGET / HTTP/1.1", 400),
        ("\u{16}\u{3}\u{1}\u{2}", 400),
    ])
    func `a malformed request line is refused`(line: String, status: Int) {
        #expect(parseHead(latin1(line + "\r\nHost: a\r\n\r\n")).status == status)
    }

    @Test(arguments: [
        ("GET http://b/c?d HTTP/1.1", "http", "b", "/c?d"),
        ("GET HTTPS://b:81/ HTTP/1.1", "https", "b:81", "/"),
        ("GET http://b HTTP/1.1", "http", "b", "/"),
        ("GET http://b?q HTTP/1.1", "http", "b", "/?q"),
        ("GET http://[::1]:80/x HTTP/1.1", "http", "[::1]:80", "/x"),
        ("OPTIONS http://b HTTP/1.1", "http", "b", "*"),
    ])
    func `an absolute target wins over Host`(
        line: String, scheme: String, authority: String, path: String
    ) throws {
        let head = try #require(parseHead(bytes(line + "\r\nHost: a\r\n\r\n")).value)
        #expect(head.target == .absolute)
        #expect(head.request.scheme == scheme)
        #expect(head.request.authority == authority)
        #expect(head.request.path == path)
    }

    @Test(arguments: [
        "GET http:// HTTP/1.1", "GET http:///a HTTP/1.1", "GET http://u@b/ HTTP/1.1",
        "GET http://:80/ HTTP/1.1",
        "GET http://u:p@b/ HTTP/1.1", "GET ftp://b/ HTTP/1.1", "GET http:/b HTTP/1.1",
        "GET http://b:x/ HTTP/1.1", "GET http://[::1/ HTTP/1.1", "GET https:// HTTP/1.1",
        "CONNECT / HTTP/1.1", "CONNECT b HTTP/1.1", "CONNECT http://b/ HTTP/1.1",
        "CONNECT b: HTTP/1.1", "CONNECT :80 HTTP/1.1", "CONNECT b:99999 HTTP/1.1",
    ])
    func `an impossible target is refused`(line: String) {
        #expect(parseHead(bytes(line + "\r\nHost: a\r\n\r\n")).status == 400)
    }

    @Test func `CONNECT has an authority and no path`() throws {
        let head = try #require(parseHead(bytes("CONNECT b:443 HTTP/1.1\r\nHost: b\r\n\r\n")).value)
        #expect(head.target == .authority)
        #expect(head.request.authority == "b:443")
        #expect(head.request.path == nil)
    }
}
