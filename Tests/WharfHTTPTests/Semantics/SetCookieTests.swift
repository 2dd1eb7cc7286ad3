import Testing
import WharfHTTP

@Suite struct `A cookie to keep` {
    @Test func `is for the whole site, and out of reach for scripts`() throws {
        let cookie = try SetCookie("a", "b=c")
        #expect(cookie.description == "a=b=c; Path=/; HttpOnly; SameSite=Lax")
    }

    @Test func `has attributes`() throws {
        let cookie = try SetCookie(
            "__Secure-a", "", path: "/x y", domain: "a.example", maxAge: .seconds(90.9),
            expires: HTTPDate(unixSeconds: 784_111_777), isSecure: true, isHTTPOnly: false,
            sameSite: SetCookie.SameSite.none, isPartitioned: true)
        #expect(
            cookie.description
                == "__Secure-a=; Path=/x y; Domain=a.example; Max-Age=90; "
                + "Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure; SameSite=None; Partitioned")
        let bare = try SetCookie("a", "b", path: nil, isHTTPOnly: false, sameSite: nil)
        #expect(bare.description == "a=b")
        #expect(try SetCookie("a", "b", maxAge: .seconds(-5)).description.contains("Max-Age=0;"))
    }

    @Test func `is forgotten`() throws {
        #expect(
            try SetCookie.forgetting("a", path: "/x").description
                == "a=; Path=/x; Max-Age=0; HttpOnly; SameSite=Lax")
        #expect(try SetCookie.forgetting("__Host-a").description.contains("; Secure;"))
    }

    @Test(
        arguments: [
            ("", "a", .name), ("a b", "", .name), ("a;", "", .name), ("a=", "", .name),
            ("ä", "", .name), ("a\r\n", "", .name), ("a", "b c", .value), ("a", "b;c", .value),
            ("a", "b,c", .value), ("a", "\"b\"", .value), ("a", "b\\c", .value), ("a", "ä", .value),
            ("a", "b\r\nSet-Cookie: c", .value), ("a", "b\0", .value),
            ("a", String(repeating: "b", count: 4096), .length),
        ] as [(String, String, SetCookieError)])
    func `can't have bytes that end or break it`(
        _ name: String, _ value: String, _ error: SetCookieError
    ) {
        #expect(throws: error) { try SetCookie(name, value) }
    }

    @Test func `may be as long as browsers take it`() throws {
        #expect(try SetCookie("a", String(repeating: "b", count: 4095)).value.utf8.count == 4095)
    }

    @Test(arguments: ["", "a", "/a;b", "/a\n", "/ä", "/" + String(repeating: "a", count: 1024)])
    func `has a path that begins at the root`(_ path: String) {
        #expect(throws: SetCookieError.path) { try SetCookie("a", "b", path: path) }
    }

    @Test(arguments: ["", ".a", "a.", "a..b", "a b", "a;b", "ä.example", "a/b", "a:80"])
    func `has a host for a domain`(_ domain: String) {
        #expect(throws: SetCookieError.domain) { try SetCookie("a", "b", domain: domain) }
    }

    @Test func `keeps what its attributes and its name promise`() throws {
        #expect(throws: SetCookieError.needsSecure) {
            try SetCookie("a", "b", sameSite: SetCookie.SameSite.none)
        }
        #expect(throws: SetCookieError.needsSecure) {
            try SetCookie("a", "b", isPartitioned: true)
        }
        #expect(throws: SetCookieError.prefix) { try SetCookie("__secure-a", "b") }
        #expect(throws: SetCookieError.prefix) { try SetCookie("__Host-a", "b") }
        #expect(throws: SetCookieError.prefix) {
            try SetCookie("__HOST-a", "b", path: "/x", isSecure: true)
        }
        #expect(throws: SetCookieError.prefix) {
            try SetCookie("__Host-a", "b", path: nil, isSecure: true)
        }
        #expect(throws: SetCookieError.prefix) {
            try SetCookie("__Host-a", "b", domain: "a.example", isSecure: true)
        }
        #expect(try SetCookie("__Host-a", "b", isSecure: true).isSecure == true)
    }
}

@Suite struct `A reference that is made valid` {
    @Test(arguments: [
        ("/a/b?c=d&e#f", "/a/b?c=d&e#f"), ("https://[::1]:80/a;b,c", "https://[::1]:80/a;b,c"),
        ("/a b", "/a%20b"), ("/ä", "/%C3%A4"), ("/a%20b", "/a%20b"), ("/a%2", "/a%252"),
        ("/100%", "/100%25"), ("/%zz", "/%25zz"),
        ("/a\r\nSet-Cookie: b", "/a%0D%0ASet-Cookie:%20b"),
        ("\\\\evil.example", "%5C%5Cevil.example"),
        ("/<\">`{|}^\0\u{7F}", "/%3C%22%3E%60%7B%7C%7D%5E%00%7F"),
        ("", ""),
    ])
    func `keeps what may stand in it`(_ text: String, _ wanted: String) {
        #expect(PercentEncoding.encodeReference(text) == wanted)
    }
}
