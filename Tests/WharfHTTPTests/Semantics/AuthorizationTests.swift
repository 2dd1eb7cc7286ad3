import Testing
import WharfHTTP

@Suite struct AuthorizationTests {
    private static func basic(_ text: [UInt8]) -> BasicCredentials? {
        guard case .basic(let basic)? = Authorization("Basic " + Base64.encode(text)) else {
            return nil
        }
        return basic
    }

    @Test(arguments: [
        // RFC 7617 §2 and §2.1.
        ("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", "open sesame"),
        ("Basic dGVzdDoxMjPCow==", "test", "123\u{A3}"),
        ("basic dTpw", "u", "p"), ("BASIC   dTpw", "u", "p"),
        // The first colon ends the name; both may be empty.
        ("Basic YTpiOmM=", "a", "b:c"), ("Basic Og==", "", ""), ("Basic OnA=", "", "p"),
        ("Basic dTo=", "u", ""),
        // Padding may be missing.
        ("Basic dGVzdDoxMjPCow", "test", "123\u{A3}"),
        // What is not UTF-8 is ISO-8859-1.
        ("Basic dTr8", "u", "\u{FC}"),
    ])
    func `names and passwords are read`(value: String, name: String, password: String) throws {
        guard case .basic(let basic)? = Authorization(value) else {
            Issue.record("not Basic: \(value)")
            return
        }
        #expect(basic.userName == name)
        #expect(basic.password == password)
        let written = try #require(BasicCredentials(userName: name, password: password))
        #expect(Authorization(written.fieldValue) == .basic(written))
    }

    @Test(arguments: [
        "", " ", "Basic", "Basic ", "Basic\tdTpw", "Basic dTpw=", "Basic d",
        "Basic dTp",
        "Basic dT:w", "Basic dTpw dTpw", "Basic dQ==", "Basic =", "Basic dTpx=dTpx", ",Basic dTpw",
        // RFC 4648 §3.5: bits that stand for nothing.
        "Basic OnB=", "Basic Oh==",
        // Controls: a NUL in the name, a line end in the password, DEL.
        "Basic dQA6cA==", "Basic dTpwCg==", "Basic dTp/",
        "Digest", "Digest ", "Digest username=u",
    ])
    func `what is malformed is nothing`(value: String) {
        #expect(Authorization(value) == nil)
    }

    @Test func `other schemes are left to others`() {
        #expect(Authorization("Bearer a.b.c") == .other(scheme: "bearer", credentials: "a.b.c"))
        #expect(Authorization("Negotiate") == .other(scheme: "negotiate", credentials: ""))
    }

    @Test(arguments: [("a:b", "c"), ("a\n", "c"), ("a", "c\r"), ("a", "\u{7F}"), ("\u{0}", "")])
    func `what Basic can't say is not said`(name: String, password: String) {
        #expect(BasicCredentials(userName: name, password: password) == nil)
    }

    // RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `base 64 has its known answers`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded.utf8) == Array(text.utf8))
        let bare = encoded.filter { $0 != "=" }
        #expect(Base64.encode(Array(text.utf8), isPadded: false) == bare)
        #expect(Base64.decode(bare.utf8) == Array(text.utf8))
    }

    @Test func `base 64 takes all bytes both ways`() {
        let all = (0...255).map { UInt8($0) }
        for count in [256, 255, 254] {
            #expect(
                Base64.decode(Base64.encode(Array(all.prefix(count))).utf8)
                    == Array(all.prefix(count)))
        }
    }
}
