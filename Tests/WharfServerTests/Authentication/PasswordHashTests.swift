import Testing
import WharfHTTP
@testable import WharfServer

@Suite struct `A stored password` {
    @Test func `is read again as it was written`() throws {
        let hash = PasswordHash.pbkdf2("secret", iterationCount: 1000)
        #expect(hash.description.hasPrefix("$pbkdf2-sha256$i=1000$"))
        let read = try #require(PasswordHash(hash.description))
        #expect(read == hash)
        #expect(read.matches("secret"))
        #expect(!read.matches("Secret") && !read.matches("") && !read.matches("secret "))
        #expect(!hash.decoy.matches("secret"))
        #expect(PasswordHash.pbkdf2("secret", iterationCount: 1000) != hash)
    }

    // Made with Python's hashlib: pbkdf2_hmac("sha256", b"pass\xc3\xb6rd", b"saltsaltsaltsalt", i)
    // and scrypt(b"pass\xc3\xb6rd", salt=b"saltsaltsaltsalt", n=1024, r=8, p=1, dklen=32).
    @Test(arguments: [
        "$pbkdf2-sha256$i=1000$c2FsdHNhbHRzYWx0c2FsdA$feZR3MmWXqLDRJph0RusI275orYM22C0apgZSLTaryk",
        "$pbkdf2-sha256$1009$c2FsdHNhbHRzYWx0c2FsdA$MN.R7j5zTCuGrcAciPmUahVGggG3wxdoO6md2uO/vLc",
        "$scrypt$ln=10,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$MFZIvEbp5HjXAHsRtUBmC/BFsRSmc2dSjjfsi3yWvJw",
    ])
    func `of another program's is understood`(_ text: String) throws {
        let hash = try #require(PasswordHash(text))
        #expect(hash.matches("pass\u{F6}rd"))
        #expect(!hash.matches("passord"))
    }

    @Test func `costs 600,000 iterations or 128 MiB unless told otherwise`() throws {
        #expect(PasswordHash.pbkdf2("p").description.hasPrefix("$pbkdf2-sha256$i=600000$"))
        let hash = try #require(PasswordHash.scrypt("p"))
        #expect(hash.description.hasPrefix("$scrypt$ln=17,r=8,p=1$"))
        #expect(hash.matches("p"))
    }

    @Test(arguments: [
        "", "secret", "$", "$$$$", "$pbkdf2-sha256$i=1000$c2FsdHNhbHQ", "$1$salt$abcdefg$",
        "$pbkdf2-sha256$i=0$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=10000001$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=+1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=99999999999999999999$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=1$c2FsdHNhbHQ$AAAA", "$pbkdf2-sha256$i=1$c2FsdHNhbHQ$",
        "$pbkdf2-sha256$i=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAB",
        "x$pbkdf2-sha256$i=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha512$i=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=19,r=8,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8,p=1,x=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$r=8,ln=10,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `that is malformed is none`(_ text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test func `for Digest is the hash of name, realm and password`() throws {
        // RFC 7616 §3.9.1.
        let secret = DigestSecret(
            userName: "Mufasa", realm: "http-auth@example.org", password: "Circle of Life")
        #expect(
            secret.description
                == "$digest-sha256$7987c64c30e25f1b74be53f966b49b90f2808aa92faf9a00262392d7b4794232"
        )
        #expect(DigestSecret(secret.description) == secret)
        let old = DigestSecret(
            userName: "Mufasa", realm: "http-auth@example.org", password: "Circle of Life",
            algorithm: .md5)
        #expect(old.description == "$digest-md5$3d78807defe7de2157e2b0b6573a855f")
        #expect(DigestSecret(old.description.replacing("3d7", with: "3D7")) == old)
    }

    @Test(arguments: [
        "", "$digest-sha256$", "$digest-md5$3d78807defe7de2157e2b0b6573a855",
        "$digest-md5$3d78807defe7de2157e2b0b6573a85g", "$digest-sha1$00",
        "$digest-sha256$3d78807defe7de2157e2b0b6573a855f",
        "digest-md5$3d78807defe7de2157e2b0b6573a855f",
    ])
    func `for Digest that is malformed is none`(_ text: String) {
        #expect(DigestSecret(text) == nil)
    }
}
