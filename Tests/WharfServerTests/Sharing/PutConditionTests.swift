import TestSupport
import Testing
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A condition of PUT` {
    private static let past = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let future = "Sun, 06 Nov 2094 08:49:37 GMT"

    @Test(
        arguments: [
            ("If-None-Match: *", 412, 201), ("If-Match: *", 204, 412),
            ("If-Match: \"other\"", 412, 412), ("If-None-Match: \"other\"", 204, 201),
            ("If-Unmodified-Since: \(past)", 412, 412),
            ("If-Unmodified-Since: \(future)", 204, 412), ("If-Match: garbage", 412, 412),
        ])
    func `decides before anything of the body is asked for`(
        _ field: String, _ present: Int, _ missing: Int
    ) async throws {
        for (name, status) in [("old", present), ("new", missing)] {
            try await WritableFolder.with { share async throws in
                try share.folder.write("old", to: "old")
                let client = try await share.server.connect()
                let first = try await client.exchange(
                    request("PUT /\(name)", [field, "Expect: 100-continue", "Content-Length: 3"]))
                guard status != 412 else {
                    #expect(first.status == 412)
                    #expect(try share.names() == ["old"])
                    #expect(try share.text("old") == "old")
                    return
                }
                #expect(first.status == 100)
                try await client.send("new")
                #expect(try await client.response(to: "PUT").status == status)
                #expect(try share.text(name) == "new")
            }
        }
    }

    @Test func `with the version of the file holds once`() async throws {
        try await WritableFolder.with { share async throws in
            let tag = try #require(try await share.put("/a", "first")["ETag"])
            #expect(try await share.put("/a", "second", ["If-Match: \(tag)"]).status == 204)
            #expect(try await share.put("/a", "third", ["If-Match: \(tag)"]).status == 412)
            #expect(try share.text("a") == "second")
        }
    }

    /// Both were admitted before either had sent its body.
    @Test(arguments: ["If-None-Match: *", "If-Match"])
    func `holds for one of two that come at once`(_ condition: String) async throws {
        try await WritableFolder.with { share async throws in
            var field = condition
            if condition == "If-Match" {
                let tag = try #require(try await share.put("/a", "first")["ETag"])
                field = "If-Match: \(tag)"
            }
            let head = request("PUT /a", [field, "Expect: 100-continue", "Content-Length: 3"])
            let clients = [try await share.server.connect(), try await share.server.connect()]
            for client in clients { #expect(try await client.exchange(head).status == 100) }
            var statuses: [Int] = []
            for (client, body) in zip(clients, ["one", "two"]) {
                try await client.send(body)
                statuses.append(try await client.response(to: "PUT").status)
            }
            #expect(statuses == [condition == "If-Match" ? 204 : 201, 412])
            #expect(try share.text("a") == "one")
            #expect(try share.names() == ["a"])
        }
    }
}
