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

    @Test func `answer errors in their own way`() async throws {
        try await withServer {
            $0.hooks.answersError = { status, request in
                guard status != .notFound else { return nil }
                return .html(
                    "<p>\(status.code) \(request?.method.rawValue ?? "none")", status: status)
            }
        } routes: { router in
            router.get("/fault", on: .pool) { _ in
                throw HTTPError(.conflict, fields: [.eTag: "\"1\"", .contentType: "text/x"])
            }
        } _: { server in
            let fault = try await server.exchange(request("GET /fault"))
            #expect(fault.text == "<p>409 GET" && fault.status == 409)
            #expect(fault["etag"] == "\"1\"" && fault["content-type"] == "text/x")
            #expect(try await server.exchange(request("GET /none")).text == "404 Not Found\n")
            let none = try await server.exchange("GET / HTTP/1.1\r\n\r\n")
            #expect(
                none.text == "<p>400 none" && none["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test func `can't answer bytes that are no request with a stream`() async throws {
        try await withServer {
            $0.hooks.answersError = { _, _ in .stream { try await $0.write("never") } }
        } routes: { _ in
        } _: { server in
            let none = try await server.exchange("GET / HTTP/1.1\r\n\r\n")
            #expect(none.text == "" && none["content-length"] == "0")
        }
    }
}
