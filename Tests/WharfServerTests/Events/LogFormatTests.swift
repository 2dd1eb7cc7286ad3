import Foundation
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite struct `The formats of an access log` {
    private func summary(
        target: String = "/a?b", fields: HTTPFields = [:], status: HTTPResponse.Status? = .ok,
        user: String? = nil, byteCount: Int64 = 5, client: SocketAddress = .loopback(port: 9),
        end: Int64 = 1_000_000_001_500
    ) -> HTTPServer.RequestSummary {
        let peer = Peer(address: client, localAddress: .loopback(port: 80), connectionID: 3)
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: target, headerFields: fields)
        return HTTPServer.RequestSummary(
            id: HTTPServer.RequestID(connectionID: 3, number: 2), head: head, version: "HTTP/1.1",
            status: status, receivedByteCount: 7, byteCount: byteCount, isComplete: true,
            duration: .milliseconds(1500), endMilliseconds: end, peer: peer,
            clientAddress: client, userName: user)
    }

    @Test func `look as they do elsewhere`() {
        let plain = summary()
        #expect(plain.line(.plain) == "127.0.0.1:9 GET /a?b 200 5 1500.000 ms")
        let common = "127.0.0.1 - - [09/Sep/2001:01:46:40 +0000] \"GET /a?b HTTP/1.1\" 200 5"
        #expect(plain.line(.common) == common)
        #expect(plain.line(.combined) == common + " \"-\" \"-\"")
        let named = summary(
            fields: [.referer: "http://r/", .userAgent: "A/1 (b)"], status: nil, user: "ann",
            byteCount: 0, client: .loopback6(port: 1))
        #expect(
            named.line(.combined) == "::1 - ann [09/Sep/2001:01:46:40 +0000] "
                + "\"GET /a?b HTTP/1.1\" - - \"http://r/\" \"A/1 (b)\"")
    }

    @Test func `are made in the same memory, each anew`() {
        let lines = Note<[String]>([])
        let log = AccessLog(format: .common) { line in lines.update { $0.append(line) } }
        var memory = LogLine()
        let ends: [Int64] = [1_000_000_001_500, 1_000_000_001_600, 1_000_000_061_500]
        for end in ends { log.write(summary(end: end), &memory) }
        #expect(lines.value == ends.map { summary(end: $0).line(.common) })
        #expect(lines.value.last?.contains("01:47:40") ?? false)
    }

    @Test func `have a line of JSON`() throws {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let line = summary(
            fields: [.userAgent: "ü\"\\\u{9B}😀", .traceParent: trace], user: "ann\n\u{1B}"
        ).line(.json)
        #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let members = try #require(object as? [String: Any])
        #expect(members["time"] as? String == "2001-09-09T01:46:40.000Z")
        #expect(members["client"] as? String == "127.0.0.1")
        #expect(members["target"] as? String == "/a?b" && members["method"] as? String == "GET")
        #expect(members["status"] as? Int == 200 && members["complete"] as? Bool == true)
        #expect(members["received"] as? Int == 7 && members["sent"] as? Int == 5)
        #expect(members["milliseconds"] as? Double == 1500)
        #expect(members["agent"] as? String == "ü\"\\\u{9B}😀")
        #expect(members["user"] as? String == "ann\n\u{1B}" && members["referrer"] == nil)
        #expect(members["trace"] as? String == "0af7651916cd43dd8448eb211c80319c")
        #expect(members["request"] as? Int == 2 && members["connection"] as? Int == 3)
        #expect(summary(status: nil).line(.json).contains("\"status\":null"))
    }

    @Test(arguments: [
        (#"a\b"#, #"a\\b"#), (#"a"b"#, #"a\"b"#), ("a\tb", #"a\x09b"#),
        ("a b", "a b"),
    ])
    func `escape what would end a field, if it is alone, too`(_ sent: String, _ logged: String) {
        let line = summary(fields: [.userAgent: sent], user: sent).line(.combined)
        #expect(line.hasSuffix(" \"\(logged)\""))
        #expect(line.contains(" - \(logged.replacing(" ", with: #"\x20"#)) ["))
        let json = summary(fields: [.userAgent: sent]).line(.json)
        let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["agent"] as? String == sent)
    }

    @Test(arguments: AccessLog.Format.allCases)
    func `hold whatever a client sends in one harmless line`(_ format: AccessLog.Format) {
        let hostile =
            "\" 200 1\r\n\u{1B}[2J\u{7F}\u{9B}\\\0é " + String(repeating: "x", count: 9000)
        let line = summary(
            target: "/" + hostile,
            fields: [.userAgent: hostile, .referer: hostile, .traceParent: hostile], user: hostile
        ).line(format)
        #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(line.utf8.count < 5 * 4096)
        guard format == .combined else { return }
        // Between the fields there are as many quotes as there should be.
        let unescaped = line.replacing("\\\\", with: "").replacing("\\\"", with: "")
        #expect(unescaped.count { $0 == "\"" } == 6)
        // Nor does a name have a space.
        #expect(line.split(separator: " ")[3].hasPrefix("["))
    }

    @Test func `go to the place that is set`() async throws {
        let lines = Note<[String]>([])
        let log = LogRecorder()
        try await withServer {
            $0.log = log.log(.info)
            $0.accessLog = AccessLog(format: .common) { line in lines.update { $0.append(line) } }
        } routes: { router in
            router.get("/", .inline { _ in .text("ok") })
        } _: { server in
            let client = try await server.connect()
            for path in ["/", "/none"] { _ = try await client.exchange(request("GET \(path)")) }
            client.close()
        }
        #expect(lines.value.count == 2)
        #expect(lines.value.first?.hasSuffix("\"GET / HTTP/1.1\" 200 2") ?? false)
        #expect(lines.value.last?.hasSuffix("\"GET /none HTTP/1.1\" 404 14") ?? false)
        #expect(log.lines == [])
    }
}
