import Testing
import WharfHTTP

@Suite struct `structured fields` {
    @Test(arguments: [
        ("1", "1"), ("-0", "0"), ("999999999999999", "999999999999999"), ("1.5", "1.5"),
        ("-1.000", "-1.0"), ("123456789012.125", "123456789012.125"), ("0.01", "0.01"),
        ("\"a \\\"b\\\\\"", "\"a \\\"b\\\\\""), ("\"\"", "\"\""), ("a/b:c*", "a/b:c*"),
        ("*x", "*x"), (":aGk=:", ":aGk=:"), (":aGk:", ":aGk=:"), ("::", "::"), ("?1", "?1"),
        ("?0", "?0"), ("@-12", "@-12"), ("%\"f%c3%bc\"", "%\"f%c3%bc\""), ("  1  ", "1"),
        ("1;a;b=2;a=\"x\"", "1;a=\"x\";b=2"), ("1; a=?1", "1;a"),
    ])
    func `have items`(text: String, canonical: String) {
        #expect(StructuredField.item(text)?.description == canonical)
    }

    @Test(arguments: [
        "", " ", "-", "1.", "1.1234", "1234567890123456", "1234567890123.1", "--1", "1 2", "\"a",
        "\"\\a\"", "\"\u{FC}\"", "\"\t\"", ":a:", ":aGk", ":a b:", "?2", "?", "@1.5", "@",
        "%\"%C3%BC\"",
        "%\"%ff\"", "%\"%f\"", "%a", "1;", "1;A=1", "1;a=", "1 ;a", "(1)", "1,2", "\u{0}", "\t1",
    ])
    func `have no items that are malformed`(text: String) {
        #expect(StructuredField.item(text) == nil)
    }

    @Test(arguments: [
        ("", ""), ("1,\t2 , 3", "1, 2, 3"), ("(1 2);a, ()", "(1 2);a, ()"), ("( 1  2 )", "(1 2)"),
        ("a;x, \"b\"", "a;x, \"b\""),
    ])
    func `have lists`(text: String, canonical: String) {
        let list = StructuredField.list(text)
        #expect(list?.map(\.description).joined(separator: ", ") == canonical)
    }

    @Test(arguments: [",", "1,", "1 2", "(1", "(1,2)", "(1\t2)", "((1))", "1,,2", "(1)2"])
    func `have no lists that are malformed`(text: String) {
        #expect(StructuredField.list(text) == nil)
    }

    @Test(arguments: [
        ("", ""), ("a=1, b;x=2, c=(1 2)", "a=1, b;x=2, c=(1 2)"), ("a=1,a=2", "a=2"),
        ("a=?1", "a"), ("a=?0", "a=?0"), ("*a_b-c.d=1", "*a_b-c.d=1"),
    ])
    func `have dictionaries`(text: String, canonical: String) {
        #expect(StructuredField.dictionary(text)?.description == canonical)
    }

    @Test(arguments: ["A=1", "a=", "a=1,", "1=a", "a b", "=1", "a==1", "a=1 b=2"])
    func `have no dictionaries that are malformed`(text: String) {
        #expect(StructuredField.dictionary(text) == nil)
    }

    @Test func `are bounded`() {
        func items(_ count: Int, _ separator: String) -> String {
            Array(repeating: "1", count: count).joined(separator: separator)
        }
        #expect(StructuredField.list(items(1024, ","))?.count == 1024)
        #expect(StructuredField.list(items(1025, ",")) == nil)
        #expect(StructuredField.list("(" + items(256, " ") + ")") != nil)
        #expect(StructuredField.list("(" + items(257, " ") + ")") == nil)
        func parameters(_ count: Int) -> String {
            "1" + (0..<count).map { ";a\($0)" }.joined()
        }
        #expect(StructuredField.item(parameters(256)) != nil)
        #expect(StructuredField.item(parameters(257)) == nil)
        let key = String(repeating: "k", count: 64)
        #expect(StructuredField.dictionary(key)?[key] != nil)
        #expect(StructuredField.dictionary(key + "k") == nil)
        func dictionary(_ count: Int) -> String {
            (0..<count).map { "a\($0)=1" }.joined(separator: ",")
        }
        #expect(StructuredField.dictionary(dictionary(1024))?.entries.count == 1024)
        #expect(StructuredField.dictionary(dictionary(1025)) == nil)
    }

    @Test func `are read without a trap wherever they are cut, and whatever is in them`() {
        let text = "a=1.5;x=\"q\\\"\", b=(1 tok:en :aGk=:);y, c=%\"f%c3%bc\", d=@12, e=?0, f"
        let bytes = Array(text.utf8)
        #expect(StructuredField.dictionary(text) != nil)
        for index in bytes.indices {
            let cut = String(decoding: bytes[..<index], as: UTF8.self)
            _ = StructuredField.dictionary(cut)
            _ = StructuredField.list(cut)
            _ = StructuredField.item(cut)
            for byte: UInt8 in [
                0, 0x20, 0x22, 0x25, 0x28, 0x29, 0x2C, 0x3A, 0x3B, 0x5C, 0x7F, 0xFF,
            ] {
                var changed = bytes
                changed[index] = byte
                let text = String(decoding: changed, as: UTF8.self)
                guard let read = StructuredField.dictionary(text) else { continue }
                #expect(StructuredField.dictionary(read.description) == read)
            }
        }
    }
}
