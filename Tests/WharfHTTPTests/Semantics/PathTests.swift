import Testing
import WharfHTTP

@Suite struct PathTests {
    @Test(
        arguments: [
            ("/", [], true, nil), ("/a", ["a"], false, nil), ("/a/", ["a"], true, nil),
            ("/a/b?c=%41", ["a", "b"], false, "c=%41"), ("//a//b//", ["a", "b"], true, nil),
            ("/%41%2e%2E", ["A.."], false, nil), ("/a/./b", ["a", "b"], false, nil),
            ("/a/../b", ["b"], false, nil), ("/a/..", [], true, nil), ("/a/.", ["a"], true, nil),
            ("/%2e/a", ["a"], false, nil), ("/a/%2E%2e/b", ["b"], false, nil),
            ("/a?", ["a"], false, ""),
            ("/%252e%252e/a", ["%2e%2e", "a"], false, nil), ("/caf%C3%A9", ["café"], false, nil),
            ("/a+b", ["a+b"], false, nil), ("/...", ["..."], false, nil),
            ("/?/../..", [], true, "/../.."),
        ] as [(String, [String], Bool, String?)])
    func `a path is decoded once and made plain`(
        target: String, segments: [String], isFolder: Bool, query: String?
    ) throws {
        let path = try #require(RequestPath(target))
        #expect(path.segments == segments.map { bytes($0) })
        #expect(path.hasTrailingSlash == isFolder)
        #expect(path.query == query)
        let again = try #require(RequestPath(path.encoded.isEmpty ? "/" : path.encoded))
        #expect(again.segments == path.segments)
        #expect(again.hasTrailingSlash == isFolder)
        #expect(!path.encoded.hasPrefix("//"))
    }

    @Test(
        arguments: [
            "", "a", "*", "/..", "/../a", "/a/../..", "/%2e%2e", "/%2e%2e/a", "/a/%2e./%2E%2E/b",
            "/%00",
            "/a%00b", "/a%2Fb", "/a%2fb", "/..%2fa", "/a\\b", "/a%5Cb", "/%", "/%4", "/%zz", "/%+1",
            "/..;/..",
        ].filter { $0 != "/..;/.." })
    func `a path with tricks is refused`(target: String) {
        #expect(RequestPath(target) == nil)
    }

    @Test func `a path may be deep but not endless`() {
        let limit = RequestPath.segmentCountMax
        #expect(RequestPath(String(repeating: "/a", count: limit)) != nil)
        #expect(RequestPath(String(repeating: "/a", count: limit + 1)) == nil)
    }

    @Test(arguments: [
        ("a b", "a%20b", "a%20b"), ("a/b", "a%2Fb", "a%2Fb"), ("é", "%C3%A9", "%C3%A9"),
        ("a&b=c+d", "a%26b%3Dc%2Bd", "a%26b%3Dc%2Bd"), ("-._~", "-._~", "-._~"),
        ("a:b;c?d#e%", "a%3Ab%3Bc%3Fd%23e%25", "a%3Ab%3Bc%3Fd%23e%25"),
        ("<\"'>", "%3C%22%27%3E", "%3C%22%27%3E"),
    ])
    func `text is encoded for its place`(text: String, segment: String, query: String) {
        #expect(PercentEncoding.encode(text, for: .pathSegment) == segment)
        #expect(PercentEncoding.encode(text, for: .query) == query)
        #expect(PercentEncoding.decodeText(segment) == text)
    }

    @Test func `every byte survives encoding`() {
        let all = (0...255).map { UInt8($0) }
        for component in [PercentEncoding.Component.pathSegment, .path, .query] {
            let encoded = PercentEncoding.encode(all, for: component)
            #expect(PercentEncoding.decode(encoded.utf8) == all)
        }
        #expect(PercentEncoding.encode("/a/b c", for: .path) == "/a/b%20c")
        #expect(PercentEncoding.decodeText("%FF") == nil)
    }

    @Test(arguments: [
        ("", ""), ("/", "/"), ("foo", "foo"), ("/foo/", "/foo"), ("foo//bar", "foo/bar"),
        ("foo/bar//", "foo/bar"), ("foo/./bar", "foo/bar"), ("foo/bar/.", "foo/bar"),
        ("foo/../bar", "bar"), ("foo/bar/..", "foo"), ("/foo/..", "/"), ("/..", "/"), ("..", ""),
        ("../../foo", "foo"), ("/.../x", "/.../x"), ("/%2e%2e/x", "/%2e%2e/x"), ("./.", ""),
        ("/\u{FC}/../\u{20AC}", "/\u{20AC}"),
    ])
    func `a path is normalized`(path: String, expected: String) {
        #expect(RequestPath.normalized(path) == expected)
        #expect(RequestPath.normalized(expected) == expected)
    }
}
