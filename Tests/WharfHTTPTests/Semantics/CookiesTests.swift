import Testing
import WharfHTTP

@Suite struct CookiesTests {
    private static func pairs(_ text: String) -> [String] {
        Cookies(parsing: text).map { "\($0.name)|\($0.value)" }
    }

    @Test(arguments: [
        ("a=1", ["a|1"]), ("a=1; b=2; c=3", ["a|1", "b|2", "c|3"]), ("a=1;b=2", ["a|1", "b|2"]),
        // The first `=` ends the name.
        ("a=b=c; d==", ["a|b=c", "d|="]), ("a=", ["a|"]), ("token=abc+/==", ["token|abc+/=="]),
        // White space around name and value is dropped, within them kept.
        (" a\t= 1 \t;  b =x y ", ["a|1", "b|x y"]),
        // What is no pair is left out.
        ("", []), (";;; ; ", []), ("a", []), ("=1", []), (" =1; a=1; b", ["a|1"]),
        // Quotes are part of the value, and do not hide a semicolon.
        ("a=\"x\"; b=\"1;c=2\"", ["a|\"x\"", "b|\"1", "c|2\""]),
        ("a=1; A=2; a=3", ["a|1", "A|2", "a|3"]), ("a=\u{E9}\u{1F36A}", ["a|\u{E9}\u{1F36A}"]),
        // Controls can stand in no cookie.
        ("a=1\u{0}; b=2", ["b|2"]), ("a\r\n=1; b=\u{7F}; c=3", ["c|3"]),
    ])
    func `cookies are read`(text: String, expected: [String]) {
        #expect(Self.pairs(text) == expected)
    }

    @Test func `a cookie is found by its name`() {
        let cookies = Cookies(parsing: "a=1; b=2; a=3")
        #expect(cookies["a"] == "1")
        #expect(cookies["b"] == "2")
        #expect(cookies["B"] == nil)
        #expect(cookies.count == 3)
    }

    // RFC 6265 §5.4 has clients send one line; RFC 9113 §8.2.3 lets a proxy split it.
    @Test func `the cookies of several lines are read as of one`() {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .cookie, value: "a=1; b=2"))
        fields.append(HTTPField(name: .accept, value: "c=3"))
        fields.append(HTTPField(name: .cookie, value: "d=4"))
        #expect(Cookies(fields) == Cookies(parsing: "a=1; b=2; d=4"))
        #expect(Cookies(HTTPFields()).isEmpty)
    }

    @Test(arguments: [Cookies.countMax - 1, Cookies.countMax, Cookies.countMax + 1, 100_000])
    func `the number of cookies is bounded`(count: Int) {
        let text = String(repeating: "a=1;", count: count)
        #expect(Cookies(parsing: text).count == min(count, Cookies.countMax))
        var fields = HTTPFields()
        fields.append(HTTPField(name: .cookie, value: text))
        fields.append(HTTPField(name: .cookie, value: "b=2"))
        #expect(Cookies(fields).count == min(count + 1, Cookies.countMax))
    }

    @Test func `what was read, written again, is read as the same`() {
        var generator = SeededGenerator(seed: 6)
        let pieces = ["a", "b", "=", ";", " ", "\t", "\"", "\u{E9}", "\u{1}", ",", "%3D", "a=1; "]
        var count = 0
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let cookies = Cookies(parsing: text)
            let written = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            #expect(Cookies(parsing: written) == cookies, "\(text.debugDescription)")
            count += cookies.count
        }
        #expect(count > 2_000)
    }
}
