import Testing
import WharfHTTP

@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            (nil, "attachment"), ("", "attachment"), ("a.txt", "attachment; filename=\"a.txt\""),
            ("a b;c.txt", "attachment; filename=\"a b;c.txt\""),
            (
                "na\u{EF}ve.txt",
                "attachment; filename=\"na_ve.txt\"; filename*=UTF-8''na%C3%AFve.txt"
            ),
            (
                "\u{20AC} rates",
                "attachment; filename=\"_ rates\"; filename*=UTF-8''%E2%82%AC%20rates"
            ),
            ("100%.txt", "attachment; filename=\"100%.txt\"; filename*=UTF-8''100%25.txt"),
            ("a\"b", "attachment; filename=\"a_b\"; filename*=UTF-8''a%22b"),
            ("a'(*)", "attachment; filename=\"a'(*)\""),
            ("../../etc/passwd", "attachment; filename=\"passwd\""),
            ("c:\\dir\\x.exe", "attachment; filename=\"x.exe\""),
            ("a\r\nX: y", "attachment; filename=\"aX: y\""),
            ("a\u{0}b\u{7F}", "attachment; filename=\"ab\""),
            ("a\u{202E}gpj.exe", "attachment; filename=\"agpj.exe\""), ("..", "attachment"),
            ("/", "attachment"),
        ] as [(String?, String)])
    func `a file is saved under a name that does no harm`(name: String?, expected: String) {
        #expect(ContentDisposition.attachment(named: name) == expected)
    }

    @Test func `a body that is shown may have a name`() {
        #expect(ContentDisposition.inline(named: "a.pdf") == "inline; filename=\"a.pdf\"")
        #expect(ContentDisposition.inline() == "inline")
    }
}
