import Testing
import WharfHTTP

@Suite struct DigestCredentialsTests {
    private static let needed = #"realm="r", nonce="n", uri="/", response="0aF1""#

    private static func read(_ parameters: String) -> DigestCredentials? {
        guard case .digest(let digest)? = Authorization("Digest " + parameters) else { return nil }
        return digest
    }

    // RFC 7616 §3.9.1, as curl sends it, as requests does, and with nothing quoted that may go
    // without.
    @Test(arguments: [
        (#"algorithm=SHA-256"#, #"qop=auth"#, #"nc=00000001"#),
        (#"algorithm="SHA-256""#, #"qop="auth""#, #"nc=00000001"#),
        (#"Algorithm="SHA-256""#, #"QOP = "auth""#, #"nc="00000001""#),
    ])
    func `parameters are read in both forms`(algorithm: String, qop: String, nc: String) throws {
        let digest = try #require(
            Self.read(
                #"username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", "#
                    + "\(algorithm), nonce=\"7ypf/x==\", \(nc), cnonce=\"f2/w\", \(qop), "
                    + #"response="753927fa", opaque="FQhe/qa""#))
        #expect(digest.userName == "Mufasa")
        #expect(digest.realm == "http-auth@example.org")
        #expect(digest.uri == "/dir/index.html")
        #expect(digest.algorithm == "SHA-256")
        #expect(digest.nonce == "7ypf/x==")
        #expect(digest.nonceCount == 1)
        #expect(digest.cnonce == "f2/w")
        #expect(digest.qop == "auth")
        #expect(digest.response == "753927fa")
        #expect(digest.opaque == "FQhe/qa")
        #expect(!digest.isUserHashed)
        #expect(Authorization(digest.fieldValue) == .digest(digest))
    }

    @Test(arguments: [
        (#"username="a\"b\\c""#, #"a"b\c"#), ("username=u", "u"), (#"username="""#, ""),
        (#"username="J\#u{E4}s\#u{F8}n""#, "J\u{E4}s\u{F8}n"),
        // RFC 7616 §3.9.2.
        ("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe", "J\u{E4}s\u{F8}n Doe"),
        ("username*=utf-8'en'x", "x"), ("USERNAME*=UTF-8''", ""),
    ])
    func `the name is read in both forms`(parameter: String, name: String) {
        #expect(Self.read(parameter + ", " + Self.needed)?.userName == name)
    }

    @Test(arguments: [
        // The name is missing, twice there, or no UTF-8.
        "", "username=a, username=a, ", "username=a, username*=UTF-8''a, ",
        "username*=UTF-8''%FF, ",
        "username*=UTF-8''a%0D, ", "username*=ISO-8859-1''a, ", "username*=a, ",
        "username*=UTF-8''%4, ", "userhash=true, username*=UTF-8''a, ",
        "username=a, userhash=yes, ", "username=\"a, ", "username=\"a\"b, ", "username, ",
        "username=a realm=b, ", "username=a; ",
        // A count is eight digits.
        "username=a, nc=1, ", "username=a, nc=000000001, ", "username=a, nc=0000000g, ",
        "username=a, nc=-0000001, ", "username=a, nc=\"\", ", "username=a, nc=+0000001, ",
        "username=a, realm=b, ", "username=a, NONCE=b, ", "username=a, \u{1}=b, ",
    ])
    func `what is malformed is nothing`(start: String) {
        #expect(Self.read(start + Self.needed) == nil)
        #expect(Self.read("username=a, " + Self.needed) != nil)
    }

    @Test(arguments: ["realm=\"r\"", "nonce=\"n\"", "uri=\"/\"", "response=\"0aF1\""])
    func `what is needed has to be there`(parameter: String) {
        let rest = Self.needed.replacing(parameter, with: "x=y")
        #expect(Self.read("username=a, " + rest) == nil)
    }

    @Test(arguments: ["response=\"\"", "response=0x1", "response=\"0 1\""])
    func `a proof is hexadecimal`(parameter: String) {
        let text = Self.needed.replacing("response=\"0aF1\"", with: parameter)
        #expect(Self.read("username=a, " + text) == nil)
    }

    @Test(arguments: [(27, true), (28, false), (1000, false)])
    func `the number of parameters is bounded`(extraCount: Int, isTaken: Bool) {
        let extra = (0..<extraCount).map { "x\($0)=1" }.joined(separator: ",,")
        #expect((Self.read("username=a, " + Self.needed + "," + extra) != nil) == isTaken)
    }

    @Test func `a hashed name is marked`() {
        #expect(Self.read("userhash=true, username=a, " + Self.needed)?.isUserHashed == true)
        #expect(Self.read("userhash=\"false\", username=a, " + Self.needed)?.isUserHashed == false)
    }

    @Test func `what is hashed is what was sent`() throws {
        let digest = try #require(
            Self.read("username=a, nc=0000000B, cnonce=c, qop=auth, " + Self.needed))
        #expect(digest.nonceCount == 11)
        let input = digest.responseInput(hashA1: "1", hashA2: "2")
        #expect(input == Array("1:n:0000000B:c:auth:2".utf8))
        #expect(
            DigestCredentials.a1(userName: "u", realm: "r", password: "p:q")
                == Array("u:r:p:q".utf8))
        #expect(DigestCredentials.a2(method: .head, uri: "/?q") == Array("HEAD:/?q".utf8))
        for missing in ["nc=0000000B, ", "cnonce=c, ", "qop=auth, "] {
            let text = "username=a, nc=0000000B, cnonce=c, qop=auth, ".replacing(missing, with: "")
            let other = try #require(Self.read(text + Self.needed))
            #expect(other.responseInput(hashA1: "1", hashA2: "2") == nil)
        }
    }

    @Test(
        arguments: [
            ("SHA-256", .sha256), ("sha-256", .sha256), ("MD5", .md5), ("md5", .md5),
            ("MD5-sess", nil),
            ("SHA-512-256", nil), ("", nil),
        ] as [(String, DigestAlgorithm?)])
    func `algorithms have names`(name: String, algorithm: DigestAlgorithm?) {
        #expect(DigestAlgorithm(name: name) == algorithm)
    }
}
