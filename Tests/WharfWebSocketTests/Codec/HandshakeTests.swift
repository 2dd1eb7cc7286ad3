import Testing
import WharfHTTP
import WharfWebSocketCodec

@Suite struct `The opening handshake` {
    private static let sample: HTTPFields = [
        .host: "server.example.com", .upgrade: "websocket", .connection: "Upgrade",
        .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==", .secWebSocketVersion: "13",
    ]

    private func agree(
        _ changes: HTTPFields = [:], to handshake: ServerHandshake = ServerHandshake(),
        method: HTTPRequest.Method = .get, mayUpgrade: Bool = true
    ) throws -> ServerHandshake.Agreement {
        var fields = Self.sample
        for field in changes { fields[field.name] = field.value.isEmpty ? nil : field.value }
        return try handshake.agree(
            HTTPRequest(
                method: method, scheme: nil, authority: nil, path: "/", headerFields: fields),
            mayUpgrade: mayUpgrade)
    }

    private func refusal(
        _ changes: HTTPFields = [:], to handshake: ServerHandshake = ServerHandshake(),
        method: HTTPRequest.Method = .get, mayUpgrade: Bool = true
    ) -> ServerHandshake.Refusal? {
        #expect(throws: ServerHandshake.Refusal.self) {
            try agree(changes, to: handshake, method: method, mayUpgrade: mayUpgrade)
        }
    }

    @Test func `is answered as RFC 6455 shows`() throws {
        let agreement = try agree()
        #expect(agreement.fields[.secWebSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(agreement.fields[.secWebSocketProtocol] == nil)
        #expect(agreement.fields[.secWebSocketExtensions] == nil && agreement.deflate == nil)
        _ = try agree([.upgrade: "h2c , WebSocket"])
    }

    @Test(
        arguments: [
            ([.secWebSocketVersion: "8"], 426), ([.secWebSocketVersion: ""], 426),
            ([.secWebSocketVersion: "13, 8"], 426), ([.upgrade: "h2c"], 426), ([.upgrade: ""], 426),
            ([.secWebSocketKey: ""], 400), ([.secWebSocketKey: "c2hvcnQ="], 400),
            ([.secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ!="], 400),
            ([.secWebSocketExtensions: "a b"], 400), ([.secWebSocketProtocol: "a b"], 400),
        ] as [(HTTPFields, Int)])
    func `is refused with a status that says why`(changes: HTTPFields, status: Int) {
        let refusal = refusal(changes)
        #expect(refusal?.status.code == status)
        if status == 426 {
            #expect(refusal?.fields[.secWebSocketVersion] == "13")
            #expect(refusal?.fields[.upgrade] == "websocket")
        }
    }

    @Test func `is refused to other methods and to old HTTP`() {
        #expect(refusal(method: .post)?.status == .methodNotAllowed)
        #expect(refusal(mayUpgrade: false)?.status == .upgradeRequired)
    }

    @Test func `chooses the subprotocol that the server likes best`() throws {
        var handshake = ServerHandshake()
        handshake.subprotocols = ["b", "a"]
        let agreement = try agree([.secWebSocketProtocol: "x, a , b"], to: handshake)
        #expect(agreement.subprotocol == "b")
        #expect(agreement.fields[.secWebSocketProtocol] == "b")
        #expect(try agree(to: handshake).subprotocol == nil)
        #expect(refusal([.secWebSocketProtocol: "x, A"], to: handshake)?.status == .badRequest)
        #expect(try agree([.secWebSocketProtocol: "x"]).subprotocol == nil)
        handshake.requiresSubprotocol = true
        #expect(refusal(to: handshake)?.status == .badRequest)
    }

    // MARK: The client

    private func client(_ subprotocols: [String] = []) -> ClientHandshake {
        ClientHandshake(
            authority: "h:1", path: "/ws?a", subprotocols: subprotocols,
            fields: [.cookie: "c=1"], randomBytes: countingBytes)
    }

    private func answer(
        to client: ClientHandshake, _ change: (inout HTTPResponse) -> Void = { _ in }
    ) throws -> HTTPResponse {
        var handshake = ServerHandshake()
        handshake.subprotocols = ["a", "b"]
        let agreement = try handshake.agree(client.request, mayUpgrade: true)
        var response = HTTPResponse(
            status: .switchingProtocols, headerFields: agreement.fields)
        response.headerFields[.upgrade] = "WebSocket"
        response.headerFields[.connection] = "upgrade"
        change(&response)
        return response
    }

    @Test func `brings client and server together`() throws {
        let client = client(["b", "a"])
        #expect(client.request.path == "/ws?a" && client.request.headerFields[.cookie] == "c=1")
        let agreement = try client.agree(answer(to: client))
        #expect(agreement.subprotocol == "a")
        #expect(agreement.deflate == DeflateAgreement())
        #expect(try self.client().agree(answer(to: self.client())).subprotocol == nil)
    }

    @Test func `fails for a client when the answer is not what it should be`() throws {
        let client = client(["b"])
        let cases: [(WebSocketHandshakeError.Kind, (inout HTTPResponse) -> Void)] = [
            (.refused(status: 200), { $0.status = .ok }),
            (.notWebSocket, { $0.headerFields[.upgrade] = "h2c" }),
            (.notWebSocket, { $0.headerFields[.connection] = nil }),
            (.notWebSocket, { $0.headerFields[.secWebSocketAccept] = WebSocketKey.accept("x") }),
            (.wrongSubprotocol, { $0.headerFields[.secWebSocketProtocol] = "a" }),
            (.wrongSubprotocol, { $0.headerFields[.secWebSocketProtocol] = nil }),
            (.extensionNotOffered, { $0.headerFields[.secWebSocketExtensions] = "x" }),
            (.extensionNotOffered, { $0.headerFields[.secWebSocketExtensions] = "a b" }),
        ]
        for (kind, change) in cases {
            let response = try answer(to: client, change)
            let error = #expect(throws: WebSocketHandshakeError.self) {
                try client.agree(response)
            }
            #expect(error?.kind == kind)
        }
    }
}
