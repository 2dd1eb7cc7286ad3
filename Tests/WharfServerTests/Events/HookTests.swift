import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A server's hooks` {
    @Test func `refuse a peer`() async throws {
        let asked = Note(0)
        try await withServer {
            $0.hooks.accepts = { peer in
                #expect(peer.address.isLoopback)
                return asked.update {
                    $0 += 1
                    return $0 > 1
                }
            }
        } routes: { router in
            router.get("/", .inline { _ in .text("ok") })
        } _: { server in
            let first = try await server.connect()
            #expect(try await first.receiveUntilCut() == [])
            #expect(try await server.exchange(request("GET /")).status == 200)
            let counters = server.server.counters
            #expect(counters.refusedConnectionCount == 1 && counters.acceptedConnectionCount == 1)
        }
        #expect(asked.value == 2)
    }

    @Test func `rewrite a request before a route is looked for`() async throws {
        try await withServer {
            $0.hooks.rewrites = { head in
                guard let path = head.path, path.hasPrefix("/old") else { return }
                head.path = "/new" + path.dropFirst(4)
                head.headerFields[.from] = "rewritten"
            }
        } routes: { router in
            router.get("/new/{id}", on: .loop) { request in
                .text("\(request.parameters["id"] ?? "") \(request.fields[.from] ?? "")")
            }
        } _: { server in
            let response = try await server.exchange(request("GET /old/7?q"))
            #expect(response.text == "7 rewritten")
            #expect(try await server.exchange(request("GET /older")).status == 404)
        }
    }
}
