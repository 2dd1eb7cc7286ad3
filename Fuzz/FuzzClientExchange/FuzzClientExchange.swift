import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzClientExchange_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkExchange(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

let hashing = ClientHashing(
    digest: { _, bytes in Array(bytes.prefix(16)) }, random: { [UInt8](repeating: 1, count: $0) })

/// The input is answers, one head after the other, to one exchange with a secret and a body.
func checkExchange(_ input: [UInt8]) {
    guard let url = try? HTTPURL("https://user.example/folder/file?query"), input.count > 1 else {
        return
    }
    var rules = ClientExchange.Rules()
    rules.credentials = ClientCredentials(userName: "user", password: "secret")
    rules.allowsDowngrade = input[0] & 1 == 1
    var exchange = ClientExchange(
        input[0] & 2 == 2 ? .put : .post, url, fields: [.authorization: "Bearer secret"],
        body: .some(length: 7, isRepeatable: input[0] & 4 == 4), rules: rules, hashing: hashing)
    var own = ClientExchange(.get, url, rules: rules, hashing: hashing)
    var memory = ClientMemory()
    var rest = input.dropFirst()
    var count = 0
    while let head = nextHead(&rest) {
        count += 1
        let isDone = step(&exchange, head, url, &memory)
        _ = step(&own, head, url, &memory)
        precondition(memory.jar.count <= 1000, "the jar is not bounded")
        if isDone { return }
        precondition(count <= 10 + 3 + 1, "an exchange goes on without end")
    }
}

/// Asks and takes an answer: whether the exchange is over.
func step(
    _ exchange: inout ClientExchange, _ head: HTTPResponseHead, _ first: HTTPURL,
    _ memory: inout ClientMemory
) -> Bool {
    let asked = exchange.attempt(&memory, now: 1000)
    if asked.url.origin != first.origin {
        let fields = asked.request.headerFields
        precondition(fields[.authorization] == nil, "a secret went to another origin")
    }
    precondition(asked.request.path?.hasPrefix("/") == true, "a target without a slash")
    let lengths = asked.request.headerFields[values: .contentLength].count
    let codings = asked.request.headerFields[values: .transferEncoding].count
    precondition(lengths + codings <= 1, "two framings")
    var output: [UInt8] = []
    HeadSerializer.appendRequestLine(asked.request, to: &output)
    HeadSerializer.appendFields(asked.request.headerFields, to: &output)
    HeadSerializer.appendEnd(to: &output)
    var parser = HTTPRequestParser(
        limits: HTTPHeadLimits(
            requestLineMax: 1 << 20, fieldMax: 1 << 20, fieldsMax: 1 << 22, fieldCountMax: 1000))
    precondition((try? parser.parse(output.span)) != nil, "a request that no server reads")
    do throws(ClientExchangeError) {
        let decision = try exchange.take(
            head.response, to: asked, hasBegunBody: true, &memory, now: 1000)
        return decision == .deliver
    } catch {
        return true
    }
}

/// The next final head of the input.
func nextHead(_ rest: inout ArraySlice<UInt8>) -> HTTPResponseHead? {
    while true {
        var parser = HTTPResponseParser(requestMethod: .get)
        guard let head = try? parser.parse(rest.span) else { return nil }
        rest = rest.dropFirst(head.byteCount)
        if head.response.status.code >= 200 { return head }
    }
}
