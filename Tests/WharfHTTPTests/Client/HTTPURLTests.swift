import Testing
import WharfHTTP

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org/"),
        ("HTTP://Example.ORG:80/a?b=c#d", "http://example.org/a?b=c"),
        ("https://example.org:443", "https://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://u:p@example.org/a b", "http://example.org/a%20b"),
        ("http://example.org?q", "http://example.org/?q"),
        ("http://h/ü", "http://h/%C3%BC"),
        ("http://h/a%20b%zz", "http://h/a%20b%25zz"),
    ])
    func `a URL is read and written`(text: String, expected: String) throws {
        #expect(try HTTPURL(text).description == expected)
    }

    @Test(arguments: [
        ("", HTTPURLError.scheme), ("example.org", .scheme), ("ftp://h/", .scheme),
        ("ws://h/", .scheme), ("http:/h", .host), ("http://", .host), ("http:///a", .host),
        ("http://:80/", .host), ("http://h:0/", .host), ("http://h:65536/", .host),
        ("http://h:x/", .host), ("http://a b/", .host), ("http://[::1/", .host),
    ])
    func `what is no URL is refused`(text: String, expected: HTTPURLError) {
        #expect(throws: expected) { try HTTPURL(text) }
    }

    @Test func `name and password are kept apart, and decoded`() throws {
        let url = try HTTPURL("http://a%40b:p%3Aq@h/")
        #expect(url.userName == "a@b")
        #expect(url.password == "p:q")
        #expect(url.authority == "h")
        #expect(try HTTPURL("http://h/").userName == nil)
    }

    // RFC 3986 §5.4, as far as it has to do with HTTP.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
        (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("https://x/../y", "https://x/y"),
        ("http://u:p@x/", "http://x/"), ("rel/x", "http://a/b/c/rel/x"),
        ("a?u=http://z/", "http://a/b/c/a?u=http://z/"),
    ])
    func `a reference is resolved`(reference: String, expected: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        let url = try base.resolving(reference)
        #expect(url.description == expected)
        #expect(url.userName == nil)
    }

    @Test(arguments: ["ftp://h/", "javascript:alert(1)", "http:", "http:g", "//", "https://:1/"])
    func `a reference to something else is refused`(reference: String) throws {
        let base = try HTTPURL("http://a/b")
        #expect(throws: HTTPURLError.self) { try base.resolving(reference) }
    }
}
