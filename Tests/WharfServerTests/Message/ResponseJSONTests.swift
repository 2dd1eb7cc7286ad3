import Foundation
import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `An answer that is JSON` {
    private struct Status: Codable, Sendable {
        var path = "/a"
        var isReady = true
        var since = Date(timeIntervalSince1970: 784_111_777)
        var bytes = Data([1, 2, 3])
        var load = 0.5
    }

    @Test func `has the values, its type and a status`() async throws {
        try await withServer { router in
            router.get("/") { _ in try .json(Status(), status: .created) }
            router.get("/bad") { _ in try .json(Status(load: .infinity)) }
        } _: { server in
            let client = try await server.connect()
            let response = try await client.exchange(request("GET /"))
            #expect(response.status == 201)
            #expect(response["Content-Type"] == "application/json")
            #expect(
                response.text
                    == #"{"bytes":"AQID","isReady":true,"load":0.5,"path":"/a","#
                    + #""since":"1994-11-06T08:49:37Z"}"#)
            #expect(try await client.exchange(request("GET /bad")).status == 500)
        }
    }

    @Test func `is read back as the same value`() async throws {
        let bytes = try JSONFormat.encode(Status())
        let back = try JSONFormat.decode(Status.self, from: bytes)
        #expect(back.since == Status().since && back.bytes == Status().bytes)
    }
}
