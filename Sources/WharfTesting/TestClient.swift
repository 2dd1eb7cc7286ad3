public import WharfHTTP
public import WharfNet
public import WharfServer

/// Sends requests to a router, with or without a socket.
///
///     let client = try TestClient(router)
///     let response = try await client.get("/hello")
///     #expect(response.text == "Hello, world!\n")
///
/// Without a socket a request is read by the server's own parser, and passes everything that it
/// passes in a server: protection, routes, middlewares, bounds, conditions and ranges. Deadlines, and
/// answers that are an upgrade, need a socket: see ``TestServer``.
public struct TestClient: Sendable {
    enum Transport: Sendable {
        case memory(MemoryServer)
        case socket(TestConnector)
    }

    let transport: Transport
    /// Fields that go with each request, unless it brings its own: Host, to begin with.
    public var fields: HTTPFields = [.host: "localhost"]
    /// Where requests without a socket come from.
    public var clientAddress = SocketAddress.loopback(port: 49_152)

    init(_ transport: Transport) {
        self.transport = transport
    }

    /// A client of a router, without a socket.
    ///
    /// The configuration counts as far as it speaks of requests: protection, proxies, bounds of
    /// heads and bodies, hooks, the pool, the log.
    public init(
        _ router: Router, configuration: HTTPServer.Configuration = .init(port: 0)
    ) {
        self.init(.memory(MemoryServer(configuration, router: router)))
    }

    // MARK: Sending

    /// Sends a request, on a connection of its own if there are any, and returns what comes.
    ///
    /// Throws what keeps it from being sent; errors of handlers are answers.
    public func send(
        _ method: HTTPRequest.Method, _ target: String, fields: HTTPFields = [:],
        body: TestBody = .none
    ) async throws -> TestResponse {
        let head = headBytes(method, target, fields, body)
        switch transport {
        case .memory(let server):
            return try await send(head, body, to: server)
        case .socket(let connector):
            let answer = try await connector.exchange(
                [head] + body.wirePieces, method: method, finishes: body.isCut)
            return answer.response
        }
    }

    private func send(_ head: [UInt8], _ body: TestBody, to server: MemoryServer) async throws
        -> TestResponse
    {
        let peer = Peer(
            address: clientAddress, localAddress: .loopback(port: 80), connectionID: 1)
        let answer: MemoryServer.Answer
        do throws(HTTPParseError) {
            answer = await server.answer(
                try Self.parse(head), body: body.isEmpty ? nil : MemoryBody(body), from: peer)
        } catch {
            answer = await server.answer(error)
        }
        return TestResponse(
            status: answer.status, fields: answer.fields, body: answer.body,
            isComplete: answer.isComplete)
    }

    private func headBytes(
        _ method: HTTPRequest.Method, _ target: String, _ own: HTTPFields, _ body: TestBody
    ) -> [UInt8] {
        var fields = self.fields
        for name in Set(own.map(\.name)) { fields[fields: name] = own[fields: name] }
        if let length = body.length, !body.isEmpty { fields[.contentLength] = "\(length)" }
        if body.length == nil { fields[.transferEncoding] = "chunked" }
        var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        HeadSerializer.appendFields(fields, to: &bytes)
        HeadSerializer.appendEnd(to: &bytes)
        return bytes
    }

    static func parse(_ bytes: [UInt8]) throws(HTTPParseError) -> HTTPRequestHead {
        var parser = HTTPRequestParser()
        guard let head = try parser.parse(bytes.span) else {
            throw HTTPParseError(.badRequest, "the head is not whole")
        }
        return head
    }
}

extension TestClient {
    /// Sends a GET.
    public func get(_ target: String, fields: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, target, fields: fields)
    }

    /// Sends a HEAD.
    public func head(_ target: String, fields: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.head, target, fields: fields)
    }

    /// Sends a POST.
    public func post(_ target: String, fields: HTTPFields = [:], body: TestBody) async throws
        -> TestResponse
    {
        try await send(.post, target, fields: fields, body: body)
    }

    /// Sends a PUT.
    public func put(_ target: String, fields: HTTPFields = [:], body: TestBody) async throws
        -> TestResponse
    {
        try await send(.put, target, fields: fields, body: body)
    }

    /// Sends a DELETE.
    public func delete(_ target: String, fields: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.delete, target, fields: fields)
    }
}

extension MemoryBody {
    convenience init(_ body: TestBody) {
        let failure = HTTPError(.badRequest, reason: "the body ended early")
        self.init(body.pieces, length: body.length, failure: body.isCut ? failure : nil)
    }
}

extension TestBody {
    /// What goes over a wire, piece by piece.
    fileprivate var wirePieces: [[UInt8]] {
        guard length == nil else { return pieces }
        var framed = pieces.filter { !$0.isEmpty }.map { piece in
            var bytes: [UInt8] = []
            ChunkedEncoder.appendHead(count: piece.count, to: &bytes)
            return bytes + piece + ChunkedEncoder.dataEnd
        }
        var end: [UInt8] = []
        ChunkedEncoder.appendEnd(to: &end)
        framed.append(end)
        return framed
    }
}
