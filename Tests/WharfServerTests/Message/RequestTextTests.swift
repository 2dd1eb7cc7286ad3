import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A body that is text` {
    private func answer(
        to type: String?, _ body: [UInt8], _ test: (WireResponse, LogRecorder) throws -> Void
    ) async throws {
        try await withServer { router in
            router.post("/") { .text("<\(try await $0.text(upTo: 16))>") }
        } _: { server in
            let client = try await server.connect()
            let typeField = type.map { ["Content-Type: \($0)"] } ?? []
            try await client.send(
                request("POST /", typeField + ["Content-Length: \(body.count)"]))
            try await client.send(body)
            try test(try await client.response(), server.log)
        }
    }

    @Test(
        arguments: [
            (nil, Array("ä".utf8), "ä"), ("text/plain", Array("ä".utf8), "ä"),
            ("text/plain; charset=UTF-8", Array("ä".utf8), "ä"), (nil, [], ""),
            ("text/plain; charset=\"iso-8859-1\"", [0xE4], "ä"),
            ("application/json; charset=us-ascii", [0x61], "a"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0xE4, 0], "ä"),
        ] as [(String?, [UInt8], String)])
    func `is read in its charset`(_ type: String?, _ body: [UInt8], _ text: String) async throws {
        try await answer(to: type, body) { response, _ in #expect(response.text == "<\(text)>") }
    }

    @Test(
        arguments: [
            ("text/plain; charset=utf-7", [0x61], 415, "unknown charset"),
            ("text/plain; charset=us-ascii", [0xE4], 400, "no text in usASCII"),
            (nil, [0xE4], 400, "no text in utf8"),
            ("text", [0x61], 400, "malformed Content-Type"),
            (nil, [UInt8](repeating: 0x61, count: 17), 413, "longer than 16 bytes"),
        ] as [(String?, [UInt8], Int, String)])
    func `is refused if it can't be read, and the log says why`(
        _ type: String?, _ body: [UInt8], _ status: Int, _ reason: String
    ) async throws {
        try await answer(to: type, body) { response, log in
            #expect(response.status == status)
            #expect(!response.text.contains(reason))
            #expect(log.lines.contains { $0.contains(reason) })
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A body that is JSON` {
    private struct Order: Codable, Sendable {
        struct Item: Codable, Sendable {
            var name: String
        }

        var count: Int
        var items: [Item]
    }

    private func answer(
        to type: String?, _ body: String, on place: Execution = .pool,
        _ test: (WireResponse, LogRecorder) throws -> Void
    ) async throws {
        try await withServer { router in
            router.post("/", on: place) { request in
                let order = try await request.json(Order.self, upTo: 1 << 20)
                return .text(order.items.map(\.name).joined(separator: ",") + " \(order.count)")
            }
        } _: { server in
            let type = type.map { ["Content-Type: \($0)"] } ?? []
            let fields = type + ["Content-Length: \(body.utf8.count)"]
            let response = try await server.exchange(request("POST /", fields, body: body))
            try test(response, server.log)
        }
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "text/json",
        "application/vnd.shop+json",
    ])
    func `becomes a value`(_ type: String) async throws {
        for body in [
            #"{"count":2,"items":[{"name":"ä"},{"name":"b"}]}"#,
            #"\#u{FEFF} {"count" : 2, "more": null, "items" : [{"name":"\u00e4"},{"name":"b"}]} "#,
        ] {
            try await answer(to: type, body) { response, _ in
                #expect(response.text == "ä,b 2")
            }
        }
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
    func `has to be called so`(_ type: String?) async throws {
        try await answer(to: type, #"{"count":2,"items":[]}"#) { response, log in
            #expect(response.status == 415)
            #expect(response["Accept"] == "application/json")
            #expect(log.lines.contains { $0.contains("isn't called JSON") })
        }
    }

    @Test(arguments: [
        ("", "JSON"), ("{", "JSON"), ("[]", "array"), (#"{"count":1}"#, "items: it is missing"),
        (#"{"count":"1","items":[]}"#, "count: "), (#"{"count":1.5,"items":[]}"#, "Order"),
        (#"{"count":1,"items":[{"name":"a"},{}]}"#, "items.1.name: it is missing"),
        (#"{"count":1,"items":[]} x"#, "JSON"), (#"{"count":1,"items":[},"#, "JSON"),
        (#"{"count":null,"items":[]}"#, "count: "),
    ])
    func `is refused if it isn't that, and the log says what is wrong`(
        _ body: String, _ reason: String
    ) async throws {
        try await answer(to: "application/json", body) { response, log in
            #expect(response.status == 400)
            #expect(!response.text.contains(reason))
            #expect(log.lines.contains { $0.contains("the body is no Order: ") })
            #expect(log.lines.contains { $0.contains(reason) }, "\(log.lines)")
        }
    }

    @Test func `is refused in another charset, and as no UTF-8`() async throws {
        let body = #"{"count":2,"items":[]}"#
        try await answer(to: "application/json; charset=iso-8859-1", body) { response, _ in
            #expect(response.status == 415)
        }
        try await answer(to: "application/json; charset=x", body) { response, _ in
            #expect(response.status == 415)
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `may nest as deep as it likes, and is refused`(_ place: Execution) async throws {
        for opening in ["[", #"{"items":"#] {
            let body = String(repeating: opening, count: 100_000)
            try await answer(to: "application/json", body, on: place) { response, _ in
                #expect(response.status == 400)
            }
        }
    }
}
