import Testing
import WharfHTTP

@Suite struct MessageTests {
    @Test(arguments: [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "PROPFIND",
        "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH",
    ])
    func `a known method is the same however it came`(name: String) throws {
        let method = try #require(HTTPRequest.Method(rawValue: name))
        #expect(method.isKnown)
        #expect(method.rawValue == name)
        #expect(HTTPRequest.Method(name) == method)
        let lower = try #require(HTTPRequest.Method(name.lowercased()))
        #expect(!lower.isKnown && lower != method)
        let target = name == "CONNECT" ? "a:80" : name == "OPTIONS" ? "*" : "/"
        let input = bytes("\(name) \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(parseHead(input).value?.request.method == method)
    }

    @Test(arguments: ["", " ", "A B", "A\r\n", "\u{E9}", "A:"])
    func `a method is a token`(name: String) {
        #expect(HTTPRequest.Method(name) == nil)
    }

    @Test func `constants have their names`() {
        #expect(HTTPRequest.Method.get.rawValue == "GET")
        #expect(HTTPRequest.Method.search.description == "SEARCH")
        #expect(HTTPRequest.Method.get != .head)
        #expect(HTTPField.Name.eTag.rawName == "ETag")
        #expect(HTTPField.Name.wwwAuthenticate.canonicalName == "www-authenticate")
    }

    @Test func `a status is its code`() {
        #expect(HTTPResponse.Status.ok == 200)
        #expect(HTTPResponse.Status(code: 200, reasonPhrase: "Fine") == .ok)
        #expect(HTTPResponse.Status.contentTooLarge.code == 413)
        #expect(HTTPResponse.Status.misdirectedRequest.reasonPhrase == "Misdirected Request")
        #expect(HTTPResponse.Status(code: 204).reasonPhrase == "")
        #expect(HTTPResponse.Status.notFound.description == "404 Not Found")
        #expect(HTTPResponse.Status(code: 299).description == "299")
    }

    @Test(arguments: [
        (99, HTTPResponse.Status.Kind.invalid), (100, .informational), (299, .successful),
        (304, .redirection), (404, .clientError), (599, .serverError), (600, .invalid),
    ])
    func `a status has a kind`(code: Int, kind: HTTPResponse.Status.Kind) {
        #expect(HTTPResponse.Status(code: code).kind == kind)
    }
}
