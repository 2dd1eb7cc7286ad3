import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A response's head` {
    private static let forged = "x\r\nSet-Cookie: forged=1\r\n\r\nforged\0\u{7F}"

    /// The raw bytes of the answer to one request.
    private func answer(_ response: @escaping @Sendable () -> Response) async throws -> [String] {
        try await withServer { router in
            router.get("/", on: .loop) { _ in response() }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /", ["Connection: close"]))
            let bytes = try await client.receiveToEnd()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("\0") && !text.contains("\u{7F}"))
            return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                .map { String(String.UnicodeScalarView($0)) }
        }
    }

    @Test func `can't be forged through a value`() async throws {
        let lines = try await answer {
            var response = Response.text("body")
            response.fields[.location] = Self.forged
            response.fields.append(HTTPField(name: .eTag, value: Self.forged))
            response.fields[values: .vary] = [Self.forged, "b\nc", "\r"]
            return response
        }
        #expect(!lines.contains { $0.hasPrefix("Set-Cookie") || $0.hasPrefix("forged") })
        #expect(lines.filter { $0 == "\r" }.count == 1)
    }

    @Test func `can't be forged through what is no field`() async throws {
        for response in [
            Response(contentType: Self.forged, body: .string("body")),
            Response.redirect(to: "/\(Self.forged)"),
            Response.status(HTTPResponse.Status(code: 299, reasonPhrase: Self.forged)),
        ] {
            let lines = try await answer { response }
            #expect(!lines.contains { $0.hasPrefix("Set-Cookie") || $0.hasPrefix("forged") })
            #expect(lines.filter { $0 == "\r" }.count == 1)
        }
        let lines = try await answer { .upgrade(to: Self.forged) { _ in } }
        #expect(!lines.contains { $0.hasPrefix("Set-Cookie") || $0.hasPrefix("forged") })
    }

    @Test func `is framed by the server, whatever the handler says`() async throws {
        let lines = try await answer {
            Response(
                fields: [
                    .contentLength: "1000", .transferEncoding: "chunked", .connection: "keep-alive",
                    .date: "never", .server: "mine",
                ], body: .string("body"))
        }
        for name in ["Content-Length", "Connection", "Date"] {
            #expect(lines.filter { $0.hasPrefix(name + ":") }.count == 1, "\(name)")
        }
        #expect(lines.contains("Content-Length: 4\r") && lines.contains("Connection: close\r"))
        #expect(!lines.contains { $0.hasPrefix("Transfer-Encoding") })
        #expect(lines.contains("Server: mine\r") && lines.last == "body")
    }

    @Test func `of an error tells nothing of the inside`() async throws {
        struct Secret: Error { let password = "hunter2" }
        try await withServer { router in
            router.get("/secret", on: .pool) { _ in throw Secret() }
            router.get("/reason", on: .loop) { _ in
                throw HTTPError(.conflict, reason: "hunter2", fields: [.retryAfter: "9"])
            }
        } _: { server in
            let client = try await server.connect()
            let secret = try await client.exchange(request("GET /secret"))
            #expect(secret.status == 500 && secret.text == "500 Internal Server Error\n")
            let reason = try await client.exchange(request("GET /reason"))
            #expect(reason.status == 409 && reason.text == "409 Conflict\n")
            #expect(reason["Retry-After"] == "9")
            #expect(server.log.lines.count == 2)
            #expect(server.log.lines.allSatisfy { $0.contains("hunter2") })
        }
    }
}
