import Testing
import WharfHTTP

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("text/html", "text/html"), ("Text/HTML; Charset=UTF-8", "text/html; charset=UTF-8"),
        ("a/b;c=\"d e\\\"\"", "a/b; c=\"d e\\\"\""), (" a/b ; c=d ; ", "a/b; c=d"),
        ("multipart/form-data; boundary=----x", "multipart/form-data; boundary=----x"),
        ("a/b;c=\"d\"", "a/b; c=d"), ("a/b+c", "a/b+c"),
    ])
    func `a media type is read and written`(text: String, expected: String) throws {
        let type = try #require(MediaType(text))
        #expect(type.description == expected)
        #expect(MediaType(type.description) == type)
    }

    @Test(arguments: [
        "", "text", "text/", "/html", "text/html x", "text /html", "a/b; c", "a/b; c=", "a/b; =d",
        "a/b; c=\"d", "a/b; c=\"d\"e", "a/b, c/d", "a/b; c=d e",
    ])
    func `a malformed media type is refused`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `parameters are found by name`() throws {
        let type = try #require(MediaType("text/plain; CHARSET=utf-8; charset=x"))
        #expect(type.parameter("charset") == "utf-8")
        #expect(type.parameter("x") == nil)
        #expect(type.essence == "text/plain")
    }

    @Test(arguments: [
        ("a.html", "text/html; charset=utf-8"), ("a.TXT", "text/plain; charset=utf-8"),
        ("a.tar.gz", "application/gzip"), ("a.mp4", "video/mp4"), ("a.webm", "video/webm"),
        ("a.wasm", "application/wasm"), ("a.avif", "image/avif"), ("a.heic", "image/heic"),
        ("a.epub", "application/epub+zip"), ("a.js", "text/javascript; charset=utf-8"),
        ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"), (".png", "image/png"),
        ("a.\u{E9}", "application/octet-stream"), ("a.m4a", "audio/mp4"),
    ])
    func `a file name has a media type`(name: String, type: String) {
        #expect(MediaType.forFileName(name) == type)
        #expect(MediaType(type) != nil)
    }

    @Test(arguments: [
        ("a.html", "text/plain"), ("a.HTML", "text/plain"), ("a.css", "text/css; charset=utf-8"),
        ("README", "text/x-readme"), ("a.", "text/x-readme"), ("a.mine", "x/y; charset=z"),
    ])
    func `a map goes before what is built in`(name: String, type: String) {
        let map: MediaTypeMap = [
            "html": "text/plain", "": "text/x-readme", "mine": "x/y; charset=z",
        ]
        #expect(map.contentType(forFileName: name) == type)
    }

    @Test(
        arguments: [
            ("utf-8", "text/plain; charset=utf-8"),
            ("iso-8859-1", "text/plain; charset=iso-8859-1"),
            (nil, "text/plain"),
        ] as [(String?, String)])
    func `text is in the charset that is said`(charset: String?, type: String) {
        var map = MediaTypeMap()
        map.textCharset = charset
        #expect(map.contentType(forFileName: "a.txt") == type)
        #expect(map.contentType(forFileName: "a.json") == "application/json")
        #expect(map.contentType(forFileName: "a.xml") == "application/xml")
        #expect(map.contentType(forFileName: "a.svg") == "image/svg+xml")
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", true), ("TEXT/plain", true), ("application/json", true),
        ("application/ld+json", true), ("image/svg+xml", true), ("application/wasm", true),
        ("image/png", false), ("video/mp4", false), ("application/gzip", false),
        ("application/octet-stream", false), ("", false),
    ])
    func `text becomes much shorter by compression`(type: String, expected: Bool) {
        #expect(MediaType.isCompressible(type) == expected)
    }
}
