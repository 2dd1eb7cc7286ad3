import Testing

@testable import WharfHTTP

@Suite struct AcceptTests {
    @Test(
        arguments: [
            ("a", [("a", 1000)]), ("a;q=0.5, b", [("a", 500), ("b", 1000)]),
            ("A ; Q=0.123 ,, b;q=0", [("a", 123), ("b", 0)]), ("a;q=1.000", [("a", 1000)]),
            ("text/HTML;level=1;q=0.7;x=y", [("text/html", 700)]),
            ("a/b;c=\"d,e;q=0\", f", [("a/b", 1000), ("f", 1000)]),
            ("a/b;c=\"\\\",\", f", [("a/b", 1000), ("f", 1000)]),
            ("", []), (",", []), ("a b, c", [("c", 1000)]), ("a;q=2, c", [("c", 1000)]),
            ("a;q=0.1234, c", [("c", 1000)]), ("a;q=1.001, c", [("c", 1000)]),
            ("a;q=-1, c", [("c", 1000)]), ("a;q=, c", [("c", 1000)]), ("a/, c", [("c", 1000)]),
            ("a;q=0., c", [("a", 0), ("c", 1000)]),
        ] as [(String, [(String, Int)])])
    func `a list with weights is read`(text: String, expected: [(name: String, quality: Int)]) {
        let items = QualityList(parsing: text).items
        #expect(items.map(\.name) == expected.map(\.name))
        #expect(items.map(\.quality) == expected.map(\.quality))
    }

    @Test func `a list without end is cut`() {
        let text = Array(repeating: "a", count: 1000).joined(separator: ",")
        #expect(QualityList(parsing: text).items.count == 64)
    }

    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true),
            ("deflate, gzip;q=1.0, *;q=0.5", true), ("gzip;q=0", false), ("*", true),
            ("*;q=0", false), ("gzip;q=0, *", false), ("identity", false), ("br", false),
            ("identity, gzip", true), ("identity;q=1, gzip;q=0.5", false),
            ("identity;q=0.5, gzip;q=1", true), ("gzip;q=0.001", true),
            ("identity;q=0, gzip;q=0.5", true), ("gzip;q=0.5, *;q=0", true), ("gzip;q=x", false),
            ("agzip, gzipa", false),
        ] as [(String?, Bool)])
    func `gzip is sent to who asks for it`(value: String?, expected: Bool) {
        #expect(AcceptedEncodings(parsing: value).prefers("gzip") == expected)
    }

    @Test(
        arguments: [
            (nil, "identity", 1), (nil, "gzip", 0), ("gzip;q=0.5", "gzip", 0.5),
            ("*;q=0.2", "br", 0.2), ("identity;q=0", "identity", 0), ("*;q=0", "identity", 0),
        ] as [(String?, String, Double)])
    func `a coding has a weight`(value: String?, coding: String, expected: Double) {
        #expect(AcceptedEncodings(parsing: value).quality(of: coding) == expected)
    }

    @Test(
        arguments: [
            (nil, "text/html"), ("", nil), ("*/*", "text/html"),
            ("application/json", "application/json"), ("APPLICATION/JSON", "application/json"),
            ("text/html, application/json", "text/html"),
            ("text/html;q=0.9, application/json", "application/json"),
            ("text/html, application/json;q=0.9", "text/html"),
            ("application/json, text/plain, */*", "application/json"),
            ("application/json;q=0.5, */*;q=0.8", "text/html"),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
            ("application/*", "application/json"),
            ("text/*;q=0.1, application/*", "application/json"),
            ("text/html;q=0, */*", "application/json"), ("image/png", nil),
            ("application/json;q=0", nil), ("application/json;v=2", nil),
        ] as [(String?, String?)])
    func `the type that is wanted most is found`(value: String?, expected: String?) {
        let types = AcceptedTypes(parsing: value)
        #expect(types.preferred(of: ["text/html", "application/json"]) == expected)
    }

    @Test func `a type has a weight`() {
        let types = AcceptedTypes(parsing: "text/*;q=0.3, text/html;q=0.7, */*;q=0.1")
        #expect(types.quality(of: "text/html") == 0.7)
        #expect(types.quality(of: "text/plain") == 0.3)
        #expect(types.quality(of: "image/png") == 0.1)
    }
}
