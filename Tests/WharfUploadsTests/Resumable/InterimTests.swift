import Glibc
import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting
import WharfUploads

@Suite(.timeLimit(.minutes(1))) struct `the URL of an upload` {
    /// What a server sends to bytes, until it closes.
    private func exchange(_ lines: [String], _ body: String) async throws -> String {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let router = try UploadFolder.router(folder, state)
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.log = .none
        let server = try HTTPServer(configuration, router: router)
        async let running: Void = server.run()
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        if body.isEmpty {
            // The body never comes: the server stops with what it has said until then.
            async let stopped: Void = Self.stopLater(server)
            let bytes = try await RawClient.exchange(
                Array(request.utf8), with: server.addresses[0])
            await stopped
            try await running
            return String(decoding: bytes, as: UTF8.self)
        }
        let bytes = try await RawClient.exchange(Array(request.utf8), with: server.addresses[0])
        await server.stop(within: .zero)
        try await running
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func stopLater(_ server: HTTPServer) async {
        // Cancelled or not, it is enough.
        try? await Task.sleep(for: .milliseconds(500))
        await server.stop(within: .zero)
    }

    private static let head = [
        "PUT /a HTTP/1.1", "Host: localhost", "Content-Length: 3", "Connection: close",
    ]

    @Test(arguments: [3, 4, 5, 6, 7, 8, nil])
    func `is told before the body has come`(number: Int?) async throws {
        var lines = Self.head + [number == 3 ? "Upload-Incomplete: ?0" : "Upload-Complete: ?1"]
        if let number { lines.append("Upload-Draft-Interop-Version: \(number)") }
        let text = try await exchange(lines, "abc")
        #expect(
            text.hasPrefix(
                "HTTP/1.1 104 Upload Resumption Supported\r\nLocation: http://localhost/.wharf/"))
        let (interim, final) = try parts(text)
        #expect(interim.contains("Upload-Draft-Interop-Version") == (number != nil))
        #expect(interim.contains("Upload-Limit") == (number.map { $0 >= 6 } ?? true))
        #expect(final.hasPrefix("HTTP/1.1 201 "))
    }

    private func parts(_ text: String) throws -> (String, String) {
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }

    @Test func `is not told to those who may not understand`() async throws {
        let unknown = ["Upload-Complete: ?1", "Upload-Draft-Interop-Version: 9"]
        #expect(try await exchange(Self.head + unknown, "abc").hasPrefix("HTTP/1.1 201 "))
        let old = ["PUT /a HTTP/1.0", "Content-Length: 3", "Upload-Complete: ?1"]
        #expect(try await exchange(old, "abc").hasPrefix("HTTP/1.1 201 "))
    }

    @Test func `comes before the word that the body is wanted, if one is waited for`() async throws
    {
        let lines = Self.head + ["Upload-Complete: ?1", "Expect: 100-continue"]
        let text = try await exchange(lines, "")
        #expect(text.hasPrefix("HTTP/1.1 104 "))
        let (_, rest) = try parts(text)
        #expect(rest.hasPrefix("HTTP/1.1 100 Continue\r\n\r\n"))
    }
}
