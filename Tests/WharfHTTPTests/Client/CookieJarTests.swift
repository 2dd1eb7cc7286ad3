import Testing
@testable import WharfHTTP

@Suite struct CookieJarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let set: String
        var from = "http://www.example.org/a/b"
        let asked: String
        let sent: Bool

        var testDescription: String { "\(set) from \(from), asked \(asked)" }
    }

    @Test(arguments: [
        Case(set: "a=1", asked: "http://www.example.org/a/c", sent: true),
        Case(set: "a=1", asked: "http://www.example.org/a", sent: true),
        Case(set: "a=1", asked: "http://www.example.org/", sent: false),
        Case(set: "a=1", asked: "http://example.org/a/c", sent: false),
        Case(set: "a=1", asked: "http://x.www.example.org/a/c", sent: false),
        Case(set: "a=1; Domain=example.org", asked: "http://x.example.org/a/", sent: true),
        Case(set: "a=1; Domain=.example.org", asked: "http://example.org/a/", sent: true),
        Case(set: "a=1; Domain=example.org", asked: "http://badexample.org/a/", sent: false),
        Case(set: "a=1; Domain=other.org", asked: "http://other.org/a/", sent: false),
        Case(set: "a=1; Domain=org", asked: "http://www.example.org/a/b", sent: false),
        Case(
            set: "a=1; Domain=0.0.1", from: "http://127.0.0.1/", asked: "http://127.0.0.1/",
            sent: false),
        Case(set: "a=1; Path=/", asked: "http://www.example.org/z", sent: true),
        Case(set: "a=1; Path=/z", asked: "http://www.example.org/zz", sent: false),
        Case(set: "a=1; Path=/z", asked: "http://www.example.org/z/y", sent: true),
        Case(set: "a=1; Path=z", asked: "http://www.example.org/a/", sent: true),
        Case(set: "a=1; Secure", asked: "https://www.example.org/a/", sent: false),
        Case(
            set: "a=1; Secure", from: "https://www.example.org/a/b",
            asked: "https://www.example.org/a/b", sent: true),
        Case(
            set: "a=1; Secure", from: "https://www.example.org/a/b",
            asked: "http://www.example.org/a/b", sent: false),
        Case(set: "__Secure-a=1", asked: "http://www.example.org/a/b", sent: false),
        Case(
            set: "__Host-a=1; Secure; Path=/", from: "https://h.example/",
            asked: "https://h.example/",
            sent: true),
        Case(
            set: "__Host-a=1; Secure; Path=/; Domain=h.example", from: "https://h.example/",
            asked: "https://h.example/", sent: false),
        Case(set: "a=1; Max-Age=0", asked: "http://www.example.org/a/b", sent: false),
        Case(set: "a=1; Max-Age=-5", asked: "http://www.example.org/a/b", sent: false),
        Case(set: "a=1; Max-Age=100", asked: "http://www.example.org/a/b", sent: true),
        Case(set: "a=1; Max-Age=10", asked: "http://www.example.org/a/b", sent: false),
        Case(
            set: "a=1; Max-Age=99999999999999999999", asked: "http://www.example.org/a/b",
            sent: true),
        Case(
            set: "a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT", asked: "http://www.example.org/a/b",
            sent: false),
        Case(
            set: "a=1; Expires=Thu, 01 Jan 2099 00:00:01 GMT", asked: "http://www.example.org/a/b",
            sent: true),
        Case(set: "a=1; Expires=rubbish", asked: "http://www.example.org/a/b", sent: true),
        Case(set: "a", asked: "http://www.example.org/a/b", sent: false),
        Case(set: "=1", asked: "http://www.example.org/a/b", sent: false),
        Case(set: "", asked: "http://www.example.org/a/b", sent: false),
    ])
    func `a cookie goes where it belongs, and nowhere else`(c: Case) throws {
        var jar = CookieJar()
        jar.store([.setCookie: c.set], from: try HTTPURL(c.from), now: 1000)
        #expect((jar.field(for: try HTTPURL(c.asked), now: 1050) != nil) == c.sent)
    }

    @Test func `longer paths go first, then older ones`() throws {
        var jar = CookieJar()
        let url = try HTTPURL("http://h.example/a/b")
        for line in ["x=1; Path=/", "y=2; Path=/a", "z=3; Path=/"] {
            jar.store([.setCookie: line], from: url, now: 0)
        }
        #expect(jar.field(for: url, now: 0) == "y=2; x=1; z=3")
        jar.store([.setCookie: "x=4; Path=/"], from: url, now: 0)
        #expect(jar.field(for: url, now: 0) == "y=2; x=4; z=3")
        jar.store([.setCookie: "x=; Path=/; Max-Age=0"], from: url, now: 0)
        #expect(jar.field(for: url, now: 0) == "y=2; z=3")
    }

    @Test func `plain HTTP can't replace what came over TLS`() throws {
        var jar = CookieJar()
        let secure = try HTTPURL("https://h.example/")
        jar.store([.setCookie: "s=1; Secure"], from: secure, now: 0)
        jar.store([.setCookie: "s=2"], from: try HTTPURL("http://h.example/"), now: 0)
        #expect(jar.field(for: secure, now: 0) == "s=1")
    }

    @Test func `a jar is bounded`() throws {
        var jar = CookieJar()
        for domain in 0..<30 {
            let url = try HTTPURL("http://h\(domain).example/")
            for number in 0..<60 {
                jar.store([.setCookie: "c\(number)=1"], from: url, now: 0)
            }
        }
        #expect(jar.count == 1000)
        let last = try HTTPURL("http://h29.example/")
        #expect(jar.field(for: last, now: 0)?.split(separator: ";").count == 50)
        #expect(jar.field(for: last, now: 0)?.hasSuffix("c59=1") == true)
        var long = CookieJar()
        long.store(
            [.setCookie: "a=" + String(repeating: "x", count: 4096)], from: last, now: 0)
        #expect(long.count == 0)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 as Int64?),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("06-nov-1994 8:49:37", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("29 Feb 2000 00:00:00", 951_782_400),
        ("32 Jan 2000 00:00:00", nil), ("1 Jan 1500 00:00:00", nil), ("1 Jan 2000 24:00:00", nil),
        ("1 Jan 2000", nil), ("", nil), ("::: 1 1 1", nil),
        ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
    ])
    func `dates of cookies are read with forgiveness`(text: String, expected: Int64?) {
        #expect(CookieDate.seconds(text) == expected)
    }
}
