import Testing
import WharfHTTP

@Suite struct ChallengeTests {
    private typealias Parameter = Challenge.Parameter

    @Test func `a challenge is written`() {
        let digest = Challenge(
            scheme: "Digest",
            parameters: [
                Parameter("realm", #"a "b" \c"#), Parameter("qop", "auth"),
                Parameter("algorithm", "SHA-256", isQuoted: false),
                Parameter("stale", "a b", isQuoted: false),
            ])
        #expect(
            digest.description
                == #"Digest realm="a \"b\" \\c", qop="auth", algorithm=SHA-256, stale="a b""#)
        #expect(Challenge(scheme: "Negotiate", parameters: []).description == "Negotiate")
        // A line end in a value can't begin another field.
        let forged = Challenge(scheme: "Basic", parameters: [Parameter("realm", "a\r\nX: y")])
        #expect(forged.description == #"Basic realm="a  X: y""#)
    }

    @Test(arguments: [
        (#"Basic realm="x", charset="UTF-8""#, [#"Basic realm="x", charset="UTF-8""#]),
        ("Basic", ["Basic"]), ("Negotiate a/b+c==", ["Negotiate a/b+c=="]),
        // RFC 9110 §11.6.1.
        (
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            [#"Basic realm="simple""#, #"Newauth realm="apps", type=1, title="Login to \"apps\"""#]
        ),
        ("A, B, C x=1", ["A", "B", "C x=1"]), ("A x=1,,, y=2 , ,B", ["A x=1, y=2", "B"]),
        ("A x = 1", ["A x=1"]), ("A x=", ["A x="]), ("A x==, B y=1", ["A x==", "B y=1"]),
        ("A x=1, B", ["A x=1", "B"]), (" , A  x=1", ["A x=1"]),
        // What is malformed ends the list.
        ("", []), (",", []), ("=", []), ("A x=\"1", ["A"]), ("A x=1 y=2", []),
        ("A x=1, B x=1 y", ["A x=1"]), ("\"A\"", []), ("A;b", []), ("A x=1, y=\"", ["A x=1"]),
    ])
    func `challenges are read`(text: String, expected: [String]) {
        let challenges = Challenge.parse(text)
        #expect(challenges.map(\.description) == expected)
        let written = challenges.map(\.description).joined(separator: ", ")
        #expect(Challenge.parse(written) == challenges)
    }

    @Test func `a parameter is found in any case`() {
        let challenge = Challenge.parse("DIGEST Realm=r, NONCE=n")[0]
        #expect(challenge.isFor(scheme: "digest"))
        #expect(!challenge.isFor(scheme: "basic"))
        #expect(challenge.parameter("realm") == "r")
        #expect(challenge.parameter("Nonce") == "n")
        #expect(challenge.parameter("opaque") == nil)
        #expect(Challenge.parse("A b==")[0].parameter("b") == nil)
    }

    @Test(arguments: [15, 16, 17, 5000])
    func `the number of challenges is bounded`(count: Int) {
        let text = [String](repeating: "A x=1", count: count).joined(separator: ", ")
        #expect(Challenge.parse(text).count == min(count, Challenge.countMax))
    }

    @Test func `what was read, written again, is read as the same`() {
        var generator = SeededGenerator(seed: 11)
        let pieces = ["A", "b", "=", "==", ",", " ", "\"", "\\", "\u{E9}", "x=1", "/", "y=\"z\", "]
        var count = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...10, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let challenges = Challenge.parse(text)
            let written = challenges.map(\.description).joined(separator: ", ")
            #expect(Challenge.parse(written) == challenges, "\(text.debugDescription)")
            count += challenges.count
        }
        #expect(count > 1_000)
    }
}
