import Testing
import WharfCrypto
@testable import WharfHTTP

/// What tests of a client's exchange share.
enum Exchange {
    static let hashing = ClientHashing(
        digest: { Hash.digest($0 == .md5 ? .md5 : .sha256, of: $1) },
        random: { [UInt8](repeating: 7, count: $0) })

    static func make(
        _ method: HTTPRequest.Method = .get, _ url: String = "http://a.example/x/y",
        fields: HTTPFields = [:], body: ClientExchange.Body = .none,
        _ change: (inout ClientExchange.Rules) -> Void = { _ in }
    ) throws -> ClientExchange {
        var rules = ClientExchange.Rules()
        change(&rules)
        return ClientExchange(
            method, try HTTPURL(url), fields: fields, body: body, rules: rules, hashing: hashing)
    }

    static func answer(_ code: Int, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status: .init(code: code), headerFields: fields)
    }
}

extension ClientExchange {
    /// Asks, and takes an answer.
    mutating func step(
        _ memory: inout ClientMemory, _ answer: HTTPResponse, hasBegunBody: Bool = true
    ) throws -> (asked: Attempt, decision: Decision) {
        let asked = attempt(&memory, now: 0)
        let decision = try take(
            answer, to: asked, hasBegunBody: hasBegunBody, &memory, now: 0)
        return (asked, decision)
    }
}

@Suite struct ClientExchangeTests {
    private static let body = ClientExchange.Body.some(length: 5, isRepeatable: true)

    @Test(arguments: [
        (301, HTTPRequest.Method.post, HTTPRequest.Method.get, false),
        (302, .post, .get, false), (303, .post, .get, false), (303, .put, .get, false),
        (301, .put, .put, true), (302, .put, .put, true), (302, .patch, .patch, true),
        (307, .post, .post, true), (308, .post, .post, true), (308, .put, .put, true),
        (303, .head, .head, false), (301, .get, .get, true), (307, .delete, .delete, true),
    ])
    func `a redirect keeps method and body, or not`(
        status: Int, method: HTTPRequest.Method, next: HTTPRequest.Method, keepsBody: Bool
    ) throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make(
            method, fields: [.contentType: "a/b", .accept: "*/*"], body: Self.body)
        let step = try exchange.step(&memory, Exchange.answer(status, [.location: "z?q"]))
        #expect(step.decision == .again)
        let asked = exchange.attempt(&memory, now: 0)
        #expect(asked.request.method == next)
        #expect(asked.url.description == "http://a.example/x/z?q")
        #expect(asked.body == (keepsBody ? Self.body : .none))
        #expect(asked.request.headerFields[.contentLength] == (keepsBody ? "5" : nil))
        #expect(asked.request.headerFields[.contentType] == (keepsBody ? "a/b" : nil))
        #expect(asked.request.headerFields[.accept] == "*/*")
    }

    @Test(arguments: [300, 304, 305, 306, 200, 404, 500])
    func `other statuses are answers`(status: Int) throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make()
        let answer = Exchange.answer(status, [.location: "/z"])
        #expect(try exchange.step(&memory, answer).decision == .deliver)
    }

    @Test func `a redirect without a place to go is an answer`() throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make()
        #expect(try exchange.step(&memory, Exchange.answer(302)).decision == .deliver)
        var other = try Exchange.make { $0.redirectMax = 0 }
        let answer = Exchange.answer(302, [.location: "/z"])
        #expect(try other.step(&memory, answer).decision == .deliver)
    }

    @Test(arguments: [
        ("ftp://h/", ClientExchangeError.badLocation), ("http://", .badLocation),
        ("javascript:1", .badLocation), ("mailto:a@b", .badLocation),
    ])
    func `a redirect to something else is an error`(
        location: String, error: ClientExchangeError
    ) throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make()
        #expect(throws: error) {
            try exchange.step(&memory, Exchange.answer(302, [.location: location]))
        }
    }

    @Test func `two places to go are an error`() throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make()
        var fields: HTTPFields = [.location: "/a"]
        fields.append(HTTPField(name: .location, value: "/b"))
        #expect(throws: ClientExchangeError.badLocation) {
            try exchange.step(&memory, Exchange.answer(302, fields))
        }
    }

    @Test func `a loop ends after ten redirects`() throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make()
        let answer = Exchange.answer(302, [.location: "/x/y"])
        for _ in 0..<10 { #expect(try exchange.step(&memory, answer).decision == .again) }
        #expect(throws: ClientExchangeError.tooManyRedirects) {
            try exchange.step(&memory, answer)
        }
    }

    @Test(arguments: [(false, true), (true, false)])
    func `from https to http only when that is allowed`(isAllowed: Bool, fails: Bool) throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make(.get, "https://a.example/") {
            $0.allowsDowngrade = isAllowed
        }
        let answer = Exchange.answer(301, [.location: "http://a.example/"])
        if fails {
            let error = ClientExchangeError.downgrade(try HTTPURL("http://a.example/"))
            #expect(throws: error) { try exchange.step(&memory, answer) }
        } else {
            #expect(try exchange.step(&memory, answer).decision == .again)
        }
    }

    @Test(arguments: [
        ("/other", true), ("http://a.example:80/", true), ("http://a.example:81/", false),
        ("http://b.example/", false), ("https://a.example/", false), ("//b.example/", false),
    ])
    func `secrets stay with their origin`(location: String, keeps: Bool) throws {
        var memory = ClientMemory()
        let fields: HTTPFields = [
            .authorization: "Bearer x", .cookie: "c=1", .proxyAuthorization: "p", .host: "virtual",
        ]
        var exchange = try Exchange.make(fields: fields) { $0.allowsDowngrade = true }
        _ = try exchange.step(&memory, Exchange.answer(307, [.location: location]))
        let asked = exchange.attempt(&memory, now: 0).request.headerFields
        #expect((asked[.authorization] == "Bearer x") == keeps)
        #expect((asked[.cookie] == "c=1") == keeps)
        #expect((asked[.proxyAuthorization] == "p") == keeps)
        #expect((asked[.host] == "virtual") == keeps)
        // And they don't come back with the next hop.
        let back = Exchange.answer(307, [.location: "http://a.example/x"])
        _ = try exchange.step(&memory, back)
        #expect((exchange.attempt(&memory, now: 0).request.headerFields[.cookie] == "c=1") == keeps)
    }

    @Test(arguments: [
        (307, true, true, true), (307, false, true, false), (307, false, false, true),
        (308, false, true, false), (303, false, true, true), (302, false, true, true),
    ])
    func `a body that can't be sent again is not lost silently`(
        status: Int, isRepeatable: Bool, hasBegun: Bool, follows: Bool
    ) throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make(
            .post, body: .some(length: nil, isRepeatable: isRepeatable))
        let answer = Exchange.answer(status, [.location: "/z"])
        if follows {
            let step = try exchange.step(&memory, answer, hasBegunBody: hasBegun)
            #expect(step.decision == .again)
        } else {
            #expect(throws: ClientExchangeError.bodyIsSpent) {
                try exchange.step(&memory, answer, hasBegunBody: hasBegun)
            }
        }
    }

    @Test(arguments: [
        (ClientExchange.Body.none, HTTPRequest.Method.get, nil as String?, nil as String?),
        (.none, .post, "0", nil), (.none, .put, "0", nil), (.none, .delete, nil, nil),
        (.some(length: 7, isRepeatable: true), .post, "7", nil),
        (.some(length: nil, isRepeatable: false), .post, nil, "chunked"),
    ])
    func `the framing is that of the body, whatever the caller says`(
        body: ClientExchange.Body, method: HTTPRequest.Method, length: String?, coding: String?
    ) throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make(
            method, fields: [.contentLength: "999", .transferEncoding: "gzip"], body: body)
        let fields = exchange.attempt(&memory, now: 0).request.headerFields
        #expect(fields[values: .contentLength] == (length.map { [$0] } ?? []))
        #expect(fields[values: .transferEncoding] == (coding.map { [$0] } ?? []))
        #expect(fields.first?.name == .host)
    }

    @Test(arguments: [
        (nil as String?, 1 << 20 as Int64?, true), (nil, (1 << 20) - 1, false), (nil, nil, true),
        ("100-continue", 1, true), ("", 1 << 30, false),
    ])
    func `large bodies wait to be asked for`(expect: String?, length: Int64?, waits: Bool) throws {
        var memory = ClientMemory()
        var fields: HTTPFields = [:]
        if let expect { fields[.expect] = expect }
        var exchange = try Exchange.make(
            .put, fields: fields, body: .some(length: length, isRepeatable: true))
        let asked = exchange.attempt(&memory, now: 0)
        #expect(asked.awaitsContinue == waits)
        #expect((asked.request.headerFields[.expect] == "100-continue") == waits)
        guard waits else { return }
        // RFC 9110 §10.1.1: 417 says that it is not understood.
        let step = try exchange.step(&memory, Exchange.answer(417), hasBegunBody: false)
        #expect(step.decision == .again)
        #expect(exchange.attempt(&memory, now: 0).awaitsContinue == false)
        #expect(try exchange.step(&memory, Exchange.answer(417)).decision == .deliver)
    }

    @Test func `an origin that never says to go on is not waited for twice`() throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make(.put, body: .some(length: nil, isRepeatable: true))
        #expect(exchange.attempt(&memory, now: 0).awaitsContinue)
        memory.noteNoContinue(exchange.url.origin)
        #expect(!exchange.attempt(&memory, now: 0).awaitsContinue)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, true, false, true, true, true),
        (.put, true, false, true, true, true), (.put, true, false, true, false, false),
        (.put, true, false, false, false, true), (.post, true, false, false, true, false),
        (.patch, true, false, false, true, false), (.get, false, false, false, true, false),
        (.get, true, true, false, true, false),
    ])
    func `only what is safe is tried again, and once`(
        method: HTTPRequest.Method, isKept: Bool, hasAnswer: Bool, hasBegun: Bool,
        isRepeatable: Bool, retries: Bool
    ) throws {
        var exchange = try Exchange.make(
            method, body: .some(length: 1, isRepeatable: isRepeatable))
        let first = exchange.mayRetry(
            isKeptConnection: isKept, hasAnswerBytes: hasAnswer, hasBegunBody: hasBegun)
        #expect(first == retries)
        let second = exchange.mayRetry(
            isKeptConnection: isKept, hasAnswerBytes: hasAnswer, hasBegunBody: hasBegun)
        #expect(!second)
    }

    @Test func `cookies go along with redirects, and with the caller's own`() throws {
        var memory = ClientMemory()
        var exchange = try Exchange.make(fields: [.cookie: "own=1"])
        let answer = Exchange.answer(302, [.location: "/z", .setCookie: "c=2; Path=/"])
        _ = try exchange.step(&memory, answer)
        let asked = exchange.attempt(&memory, now: 0)
        #expect(asked.request.headerFields[.cookie] == "own=1; c=2")
        var deaf = try Exchange.make { $0.usesCookies = false }
        #expect(deaf.attempt(&memory, now: 0).request.headerFields[.cookie] == nil)
    }
}
