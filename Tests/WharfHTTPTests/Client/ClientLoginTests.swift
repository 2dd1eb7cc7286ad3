import Testing
import WharfCrypto
@testable import WharfHTTP

@Suite struct ClientLoginTests {
    private static let basic = "Basic realm=\"r\""
    private static let sha = "Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256"
    private static let md5 = "Digest realm=\"r\", nonce=\"n1\", qop=\"auth,auth-int\""
    private static let oldest = "Digest realm=\"r\", nonce=\"n1\""

    private static func credentials(
        _ schemes: ClientCredentials.Schemes = [.basic, .digest], isPreemptive: Bool = false
    ) throws -> ClientCredentials {
        try #require(
            ClientCredentials(
                userName: "u", password: "p", schemes: schemes, isPreemptive: isPreemptive))
    }

    private static func unauthorized(_ lines: [String]) -> HTTPResponse {
        var fields: HTTPFields = [:]
        for line in lines { fields.append(HTTPField(name: .wwwAuthenticate, value: line)) }
        return Exchange.answer(401, fields)
    }

    @Test(arguments: [
        ([basic], "Basic dTpw"), ([sha], "Digest "), ([md5], "Digest "), ([oldest], "Digest "),
        ([basic, sha], "Digest "), ([basic + ", " + sha], "Digest "),
        (["Negotiate", basic], "Basic dTpw"), (["NewScheme a=b", basic], "Basic dTpw"),
        (["Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\"", basic], "Basic dTpw"),
        (
            ["Digest realm=\"r\", nonce=\"n\", algorithm=SHA-999, qop=\"auth\"", basic],
            "Basic dTpw"
        ),
    ])
    func `a challenge is answered, with the best scheme`(lines: [String], begin: String) throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials()
        var exchange = try Exchange.make { $0.credentials = credentials }
        let first = try exchange.step(&memory, Self.unauthorized(lines))
        #expect(first.asked.request.headerFields[.authorization] == nil)
        #expect(first.decision == .again)
        let second = try exchange.step(&memory, Self.unauthorized(lines))
        let sent = try #require(second.asked.request.headerFields[.authorization])
        #expect(sent.hasPrefix(begin))
        // It is refused: the password is wrong, and that is the answer.
        #expect(second.decision == .deliver)
    }

    @Test(arguments: [sha, md5, oldest])
    func `a proof is what a server computes`(line: String) throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials()
        var exchange = try Exchange.make(.put, "http://h/a?b") { $0.credentials = credentials }
        _ = try exchange.step(&memory, Self.unauthorized([line]))
        let value = try #require(
            exchange.attempt(&memory, now: 0).request.headerFields[.authorization])
        guard case .digest(let proof)? = Authorization(value) else {
            Issue.record("\(value)")
            return
        }
        let algorithm: HashAlgorithm = line == Self.sha ? .sha256 : .md5
        func hash(_ text: String) -> String {
            Hash.digest(algorithm, of: Array(text.utf8)).map {
                let digits = String($0, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
        let tail =
            line == Self.oldest ? "" : ":00000001:\(proof.cnonce ?? ""):auth"
        #expect(
            proof.response == hash(hash("u:r:p") + ":n1" + tail + ":" + hash("PUT:/a?b")))
        #expect(proof.uri == "/a?b")
    }

    @Test func `a known nonce is used again, with its count, by the next exchange`() throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials()
        var first = try Exchange.make { $0.credentials = credentials }
        _ = try first.step(&memory, Self.unauthorized([Self.sha]))
        _ = try first.step(&memory, Exchange.answer(200))
        var second = try Exchange.make { $0.credentials = credentials }
        let sent = second.attempt(&memory, now: 0).request.headerFields[.authorization]
        #expect(sent?.contains("nc=00000002") == true)
        // The server has forgotten the nonce, and does not say that it is stale.
        let other = Self.sha.replacing("n1", with: "n2")
        var third = try Exchange.make { $0.credentials = credentials }
        #expect(try third.step(&memory, Self.unauthorized([other])).decision == .again)
        let again = third.attempt(&memory, now: 0).request.headerFields[.authorization]
        #expect(again?.contains("nc=00000001") == true)
        #expect(again?.contains("n2") == true)
    }

    @Test func `a stale nonce is replaced, but not for ever`() throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials()
        var exchange = try Exchange.make { $0.credentials = credentials }
        var decisions: [ClientExchange.Decision] = []
        for number in 0..<5 {
            let line = Self.sha.replacing("n1", with: "n\(number)") + ", stale=true"
            decisions.append(try exchange.step(&memory, Self.unauthorized([line])).decision)
        }
        #expect(decisions == [.again, .again, .again, .deliver, .deliver])
    }

    @Test func `who wants to be first sends Basic unasked`() throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials(isPreemptive: true)
        var exchange = try Exchange.make { $0.credentials = credentials }
        let step = try exchange.step(&memory, Self.unauthorized([Self.basic]))
        #expect(step.asked.request.headerFields[.authorization] == "Basic dTpw")
        #expect(step.decision == .deliver)
        var digest = try Exchange.make(.get, "http://d.example/") { $0.credentials = credentials }
        #expect(try digest.step(&memory, Self.unauthorized([Self.sha])).decision == .again)
    }

    @Test(arguments: [
        ([] as [String], true), (["Negotiate"], true), ([sha], false), ([basic], true),
    ])
    func `what can't be answered is the answer`(lines: [String], isBasicOnly: Bool) throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials(isBasicOnly ? .digest : .basic)
        var exchange = try Exchange.make { $0.credentials = credentials }
        #expect(try exchange.step(&memory, Self.unauthorized(lines)).decision == .deliver)
    }

    @Test func `without credentials, or with a field of the caller's, 401 is the answer`() throws {
        var memory = ClientMemory()
        var bare = try Exchange.make()
        #expect(try bare.step(&memory, Self.unauthorized([Self.basic])).decision == .deliver)
        let credentials = try Self.credentials()
        var own = try Exchange.make(fields: [.authorization: "Bearer x"]) {
            $0.credentials = credentials
        }
        let step = try own.step(&memory, Self.unauthorized([Self.basic]))
        #expect(step.asked.request.headerFields[.authorization] == "Bearer x")
        #expect(step.decision == .deliver)
    }

    @Test func `credentials are for the first origin only`() throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials(isPreemptive: true)
        var exchange = try Exchange.make { $0.credentials = credentials }
        let away = Exchange.answer(302, [.location: "http://b.example/"])
        _ = try exchange.step(&memory, away)
        let step = try exchange.step(&memory, Self.unauthorized([Self.basic]))
        #expect(step.asked.request.headerFields[.authorization] == nil)
        #expect(step.decision == .deliver)
    }

    @Test func `a body that is spent is not sent again with a login`() throws {
        var memory = ClientMemory()
        let credentials = try Self.credentials()
        var exchange = try Exchange.make(
            .post, body: .some(length: nil, isRepeatable: false)
        ) { $0.credentials = credentials }
        let answer = Self.unauthorized([Self.basic])
        #expect(try exchange.step(&memory, answer).decision == .deliver)
        var waiting = try Exchange.make(
            .post, body: .some(length: nil, isRepeatable: false)
        ) { $0.credentials = credentials }
        let step = try waiting.step(&memory, answer, hasBegunBody: false)
        // The first exchange has taught which scheme it is, so this one was refused with it.
        #expect(step.asked.request.headerFields[.authorization] == "Basic dTpw")
    }

    @Test(arguments: [("a:b", "p"), ("a\u{0}", "p"), ("a", "p\n")])
    func `credentials that can't be sent can't be made`(name: String, password: String) {
        #expect(ClientCredentials(userName: name, password: password) == nil)
    }
}
