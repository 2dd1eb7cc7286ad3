import Testing
import WharfHTTP

@Suite struct DispositionParsingTests {
    @Test(arguments: [
        // As they come from browsers (WHATWG), curl, Go, aiohttp and old Internet Explorers.
        ("\"plain.txt\"", "plain.txt"), ("\"\"", ""), ("plain.txt", "plain.txt"),
        ("\"with %22quotes%22.txt\"", "with \"quotes\".txt"),
        ("\"with \\\"quotes\\\".txt\"", "with \"quotes\".txt"),
        ("\"\\\"q\\\" and \\\\ and \\x\\\\\\\"\"", "\"q\" and \\ and \\x\\\""),
        ("\"new%0Aline%0D.txt\"", "new\nline\r.txt"), ("\"100%.txt\"", "100%.txt"),
        ("\"100%25 %41%2\"", "100%25 %41%2"), ("\"a%0a%0d\"", "a%0a%0d"),
        ("\"back\\slash.txt\"", "back\\slash.txt"), ("\"back\\\\slash.txt\"", "back\\\\slash.txt"),
        ("\"C:\\Documents\\file1.txt\"", "C:\\Documents\\file1.txt"), ("\"dir\\\"", "dir\\"),
        ("\"a;b=c.txt\"", "a;b=c.txt"), ("\"naïve 文件 😀.txt\"", "naïve 文件 😀.txt"),
        ("\"dirA/sub ü/b %22q%22.txt\"", "dirA/sub ü/b \"q\".txt"),
        ("\"with \"quotes\".txt\"", "with \"quotes\".txt"),
        ("\"escape \"quotes\"", "escape \"quotes"),
        ("\" ? % * | \" < > . &#9731; ; ' @\"", " ? % * | \" < > . &#9731; ; ' @"),
        ("%D1%84", "%D1%84"), ("a[]", "a[]"),
    ])
    func `names are read as they were meant`(written: String, name: String) {
        let value = ContentDisposition.parse("form-data; name=\"n\"; filename=\(written)")
        #expect(value?.type == "form-data")
        #expect(value?.name == "n")
        #expect(value?.fileName == name)
    }

    @Test(
        arguments: [
            ("form-data; filename=\"plain.txt\"; name=\"upload\"", "upload", "plain.txt"),
            ("form-data;name=\"a\"", "a", nil), ("Form-Data ; NAME=a ;", "a", nil),
            ("form-data; ; name=\"\"", "", nil), ("form-data; filename=a", nil, "a"),
            (
                "attachment; filename=genome.jpeg; modification-date=\"Wed, 12 Feb 1997\";", nil,
                "genome.jpeg"
            ),
            ("form-data; name=a; filename=foo; filename*=utf-8''bar", "a", "foo"),
            ("form-data; name=a; filename*=utf-8''bar; filename=foo", "a", "foo"),
            ("form-data; name=a; filename*=UTF-8'en'%e2%82%ac%20rates", "a", "€ rates"),
            ("form-data; name=a; filename*=iso-8859-1''%A3", "a", "£"),
            ("form-data; name=a; filename=x; filename*=koi8-r''%A3", "a", "x"),
            ("form-data; name=a; filename=x; filename*0=y", "a", "x"),
        ] as [(String, String?, String?)])
    func `parameters may come in any order`(text: String, name: String?, fileName: String?) {
        let value = ContentDisposition.parse(text)
        #expect(value?.name == name)
        #expect(value?.fileName == fileName)
    }

    @Test(arguments: [
        "", ";", "; name=a", "form-data, name=a", "form-data name=a", "form-data; name",
        "form-data; name=", "form-data; name=\"a", "form-data; =a",
        "form-data; name=a b", "form-data; name=a\"b", "form-data; name=a; name=a",
        "form-data; filename=a; filename=\"b\"",
        "form-data; filename*=utf-8''a; filename*=utf-8''b",
        "form-data; name=a; filename*=utf-8''%ff", "form-data; name=a; filename*=utf-8''%e",
        "form-data; name=a; filename*=koi8-r''%A3", "form-data; name=a; filename*=utf-8'a",
        "form-data; name=a; filename*0=a; filename*1=b", "form-data; name=\"a\u{0}\"",
        "form-data; name=\"a\r\n\"", "form-data; name = a", "form-data; filename=a; filename*",
    ])
    func `malformed values are refused`(text: String) {
        #expect(ContentDisposition.parse(text) == nil)
    }

    @Test func `names that are no UTF-8 are ISO-8859-1`() {
        let value = ContentDisposition.parse(latin1("form-data; name=\"n\u{FC}\"; filename=\u{E9}"))
        #expect(value?.name == "nü")
        #expect(value?.fileName == "é")
    }

    @Test func `parameters are limited in number`() {
        let parameters = (0..<31).map { "; a\($0)=b" }.joined()
        #expect(ContentDisposition.parse("form-data; name=a" + parameters)?.name == "a")
        #expect(ContentDisposition.parse("form-data; name=a" + parameters + "; b=c") == nil)
    }
}
