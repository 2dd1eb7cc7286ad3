public import WharfHTTP
public import WharfNet
public import WharfServer

extension Request {
    /// A request for a handler or a middleware that is tested by itself.
    ///
    ///     let request = try Request(testing: .put, "/notes/1", body: .text("milk"))
    ///     let response = try await handler.respond(to: request)
    ///
    /// It belongs to no server, and has not been routed: it has no parameters. Throws what a server
    /// would refuse it with.
    public init(
        testing method: HTTPRequest.Method, _ target: String = "/",
        fields: HTTPFields = [.host: "localhost"], body: TestBody = .none,
        from address: SocketAddress = .loopback(port: 49_152)
    ) throws {
        var fields = fields
        if !fields.contains(.host) { fields[.host] = "localhost" }
        if let length = body.length, !body.isEmpty { fields[.contentLength] = "\(length)" }
        if body.length == nil { fields[.transferEncoding] = "chunked" }
        var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        HeadSerializer.appendFields(fields, to: &bytes)
        HeadSerializer.appendEnd(to: &bytes)
        let peer = Peer(address: address, localAddress: .loopback(port: 80), connectionID: 1)
        let server = MemoryServer(HTTPServer.Configuration(port: 0), router: Router())
        self = server.request(
            try TestClient.parse(bytes), body: body.isEmpty ? nil : MemoryBody(body), from: peer)
    }
}
