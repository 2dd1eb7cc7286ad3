import Testing
import WharfHTTP

@Suite struct HTTPFieldsTests {
    @Test(arguments: [
        ("a", true), ("", true), ("a b\tc", true), ("\u{E9}", true), (" a", false), ("a ", false),
        ("a\r", false), ("a\nb", false), ("a\u{0}b", false), ("a\u{7F}", false), ("\t", false),
    ])
    func `a valid value has no controls and no white space at its ends`(
        value: String, isValid: Bool
    ) {
        #expect(HTTPField.isValidValue(value) == isValid)
        #expect(HTTPField.isValidValue(HTTPField(name: .vary, value: value).value))
    }

    @Test func `an invalid value is made valid`() {
        var field = HTTPField(name: .vary, value: " a\r\nEvil: b\u{0}c ")
        #expect(field.value == "a  Evil: b c")
        field.value = "x\ny"
        #expect(field.value == "x y")
    }

    @Test func `names are tokens and their case does not matter`() {
        #expect(HTTPField.Name("Content-TYPE") == .contentType)
        #expect(HTTPField.Name("Content-TYPE")?.rawName == "Content-TYPE")
        #expect(HTTPField.Name("Content-TYPE")?.canonicalName == "content-type")
        for name in ["", "a b", "a:", "a\r\n", "\u{E9}", "a\u{0}"] {
            #expect(HTTPField.Name(name) == nil)
        }
    }

    @Test func `values of one name are read joined and set as one`() {
        var fields: HTTPFields = [
            .accept: "a", .vary: "x", .accept: "b", .cookie: "c", .cookie: "d",
        ]
        #expect(fields[.accept] == "a, b")
        #expect(fields[.cookie] == "c; d")
        #expect(fields[values: .accept] == ["a", "b"])
        #expect(fields[.host] == nil)
        fields[.accept] = "z"
        #expect(fields.map(\.name) == [.accept, .vary, .cookie, .cookie])
        #expect(fields[values: .accept] == ["z"])
        fields[values: .accept] = ["1", "2"]
        #expect(fields[values: .accept] == ["1", "2"])
        fields[fields: .accept] = [HTTPField(name: .accept, value: "3")]
        #expect(fields[.accept] == "3")
        fields[.accept] = nil
        #expect(!fields.contains(.accept))
        fields.removeAll(named: .cookie)
        #expect(fields == [.vary: "x"])
    }

    @Test func `fields are a collection`() {
        var fields: HTTPFields = [.accept: "a", .vary: "x"]
        fields[1] = HTTPField(name: .age, value: "1")
        fields.insert(HTTPField(name: .eTag, value: "\"e\""), at: 0)
        #expect(fields.map(\.description) == ["ETag: \"e\"", "Accept: a", "Age: 1"])
        fields.removeAll { $0.name == .accept }
        fields.append(contentsOf: [HTTPField(name: .vary, value: "v")])
        #expect(fields.map(\.value) == ["\"e\"", "1", "v"])
        #expect(HTTPFields(fields) == fields)
    }

    @Test func `the order of different names means nothing`() {
        let left: HTTPFields = [.accept: "a", .vary: "x", .accept: "b"]
        let right: HTTPFields = [.vary: "x", .accept: "a", .accept: "b"]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != [.accept: "b", .vary: "x", .accept: "a"])
        #expect(left != [.accept: "a", .vary: "x"])
    }

    @Test func `bytes that are not UTF-8 are read as ISO 8859-1 and kept`() throws {
        let head = try #require(parseHead(request("A: \u{E9}", "B: \u{C3}\u{A9}")).value)
        var fields = head.request.headerFields
        #expect(fields[HTTPField.Name("a")!] == "\u{E9}")
        #expect(fields[HTTPField.Name("b")!] == "\u{E9}")
        fields[.vary] = "x"
        #expect(fields.firstValueBytes(of: HTTPField.Name("a")!) == [0xE9])
        #expect(fields.firstValueBytes(of: HTTPField.Name("b")!) == [0xC3, 0xA9])
    }

    @Test func `a field that is set over and over does not grow`() {
        var fields: HTTPFields = [.vary: "x"]
        for round in 0..<10_000 { fields[.date] = "date \(round)" }
        #expect(fields == [.vary: "x", .date: "date 9999"])
        #expect(fields.byteCount < 20_000)
    }
}
