import WharfHTTP

/// An answer as it comes in: its head, and as much of its body as has come.
struct TestAnswer {
    private(set) var head: HTTPResponseHead?
    private(set) var body: [UInt8] = []
    /// Whether nothing of it is missing.
    private(set) var isComplete = false

    private let method: HTTPRequest.Method
    /// What was received and not understood yet.
    private var input: [UInt8] = []
    private var decoder = ChunkedDecoder()

    init(to method: HTTPRequest.Method) {
        self.method = method
    }

    var hasHead: Bool { head != nil }

    var response: TestResponse {
        TestResponse(
            status: head?.response.status ?? .badGateway,
            fields: head?.response.headerFields ?? [:], body: body, isComplete: isComplete)
    }

    /// Takes bytes; throws when they are no answer.
    mutating func append(_ bytes: [UInt8]) throws(HTTPParseError) {
        input += bytes
        while head == nil {
            var parser = HTTPResponseParser(requestMethod: method)
            guard let found = try parser.parse(input.span) else { return }
            input.removeFirst(found.byteCount)
            // RFC 9110 §15.2: an interim response; 101 is the last that is HTTP.
            let code = found.response.status.code
            if code >= 200 || code == 101 { head = found }
        }
        try takeBody()
    }

    /// The server has ended the connection.
    mutating func end() {
        if head?.framing == .untilClose { isComplete = true }
    }

    private mutating func takeBody() throws(HTTPParseError) {
        switch head?.framing {
        case .none?, nil: isComplete = head != nil
        case .untilClose?:
            body += input
            input = []
        case .length(let length)?:
            let count = min(Int(clamping: length) - body.count, input.count)
            body += input.prefix(count)
            input.removeFirst(count)
            isComplete = body.count == Int(clamping: length)
        case .chunked?:
            var decoder = decoder
            defer { self.decoder = decoder }
            while !input.isEmpty, !decoder.isFinished {
                let step = try decoder.decode(input.span)
                body += input[step.data]
                guard step.consumed > 0 else { break }
                input.removeFirst(step.consumed)
            }
            isComplete = decoder.isFinished
        }
    }
}
