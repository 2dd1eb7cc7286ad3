import Testing
import WharfHTTP

@Suite struct URLEncodedFormTests {
    @Test(
        arguments: [
            ("", []), ("&&", []), ("a=b", [("a", "b")]),
            ("a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]),
            ("a", [("a", "")]), ("a&b=c", [("a", ""), ("b", "c")]), ("=b", [("", "b")]),
            ("a=b=c", [("a", "b=c")]), ("a+b=c+d", [("a b", "c d")]),
            ("a%20b=%26%3D%2B", [("a b", "&=+")]),
            ("a=%zz&b=%4&c=%", [("a", "%zz"), ("b", "%4"), ("c", "%")]),
            ("a=%C3%BC", [("a", "\u{FC}")]),
            ("a=%FF", [("a", "\u{FFFD}")]), ("a;b=c", [("a;b", "c")]),
            ("a[b][]=c", [("a[b][]", "c")]),
            ("a=%2541", [("a", "%41")]), ("a=%00", [("a", "\u{0}")]),
        ] as [(String, [(String, String)])])
    func `fields are read as browsers write them`(text: String, expected: [(String, String)]) throws
    {
        let form = try #require(URLEncodedForm(parsing: text))
        #expect(form.fields == expected.map { URLEncodedForm.Field(name: $0.0, value: $0.1) })
        #expect(URLEncodedForm(parsing: form.description) == form)
    }

    @Test func `values are found by name`() throws {
        let form = try #require(URLEncodedForm(parsing: "a=1&b=2&a=3"))
        #expect(form["a"] == "1" && form["b"] == "2" && form["c"] == nil)
        #expect(form[values: "a"] == ["1", "3"])
        #expect(form[values: "c"].isEmpty)
    }

    @Test func `what has a meaning is encoded`() {
        let form = URLEncodedForm([.init(name: "a&b", value: "c=d+e f\u{FC}")])
        #expect(form.description == "a%26b=c%3Dd%2Be%20f%C3%BC")
    }

    @Test func `there are not more fields than allowed`() {
        let thousand = Array(repeating: "a=b", count: 1000).joined(separator: "&")
        #expect(URLEncodedForm(parsing: thousand)?.fields.count == 1000)
        #expect(URLEncodedForm(parsing: thousand + "&a") == nil)
        #expect(URLEncodedForm(parsing: thousand + "&&") != nil)
        #expect(URLEncodedForm(parsing: "a&b", fieldCountMax: 1) == nil)
    }
}
