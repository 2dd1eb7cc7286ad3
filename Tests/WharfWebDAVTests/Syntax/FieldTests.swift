import Testing

@testable import WharfWebDAV

@Suite struct `A WebDAV field` {
    @Test(
        arguments: [
            ("0", .zero), ("1", .one), ("infinity", .infinity), ("Infinity", .infinity), ("2", nil),
            ("", nil), ("1,noroot", nil),
        ] as [(String, Depth?)])
    func `says a depth`(text: String, depth: Depth?) {
        #expect(Depth(parsing: text) == depth)
    }

    @Test(
        arguments: [
            (nil, 100), ("", 100), ("Second-10", 10), ("second-10", 10), ("Infinite", 1000),
            ("Infinite, Second-4100000000", 1000), ("Second-4100000000", 1000), ("Second-0", 1),
            ("Second-99999999999999999999", 1000), ("Extend-5, Second-7", 7), ("Second-", 100),
            ("Second--5", 100), ("Second-1 2", 100),
        ] as [(String?, Int64)])
    func `says a timeout`(text: String?, seconds: Int64) {
        #expect(LockTimeout.seconds(text, usual: 100, maximum: 1000) == seconds)
    }

    @Test(
        arguments: [
            ("<urn:uuid:1>", "urn:uuid:1"), (" <a> ", "a"), ("a", nil), ("<a", nil), ("<>", nil),
            ("<a> <b>", nil), ("<a b>", nil),
        ] as [(String, String?)])
    func `says a token`(text: String, token: String?) {
        #expect(CodedURL.parse(text) == token)
    }

    @Test(arguments: [
        ("/a%20b", "/a%20b"), ("http://host:8080/a/b/", "/a/b/"), ("https://HOST:8080/a", "/a"),
        ("dav://host:8080", "/"), ("http://u:p@host:8080/x", "/x"), ("/a?b=c", "/a"),
        ("c/d", "/base/c/d"), ("e", "/base/e"),
    ])
    func `says a destination`(text: String, path: String) throws {
        #expect(try Destination.path(text, host: "host:8080", base: "/base/file") == path)
    }

    @Test(
        arguments: [
            ("", .malformed), ("/a#b", .malformed), ("/a b", .malformed),
            ("//host:8080/a", .malformed), ("http://host:8080//a", .malformed),
            ("mailto:x", .malformed), ("ftp://host:8080/a", .malformed), ("http:///a", .malformed),
            ("http://other/a", .elsewhere), ("http://host/a", .elsewhere),
            ("http://host:8081/a", .elsewhere),
        ] as [(String, Destination.Failure)])
    func `says no destination`(text: String, failure: Destination.Failure) {
        #expect(throws: failure) {
            try Destination.path(text, host: "host:8080", base: "/base/file")
        }
    }

    @Test(arguments: [("host", "host:80"), ("host:443", "host"), ("host", "host")])
    func `need not say the usual ports`(host: String, other: String) throws {
        #expect(try Destination.path("http://\(other)/a", host: host, base: "/") == "/a")
    }
}
