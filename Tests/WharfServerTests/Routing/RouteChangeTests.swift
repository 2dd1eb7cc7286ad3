import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

/// Routes come and go on threads of their own while requests are answered.
@Suite(.timeLimit(.minutes(1))) struct `Routes that change` {
    private static let roundCount = 150

    private struct Passing: HTTPMiddleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            try await next(request)
        }
    }

    /// Adds routes of every kind under a number and takes them away, but for the last round.
    private static func change(_ router: Router, _ writer: Int) {
        for round in 0..<roundCount {
            var ids = [
                router.get("/\(writer)", on: .loop, answering("\(round)")),
                router.get("/\(writer)/{x}", .inline { _ in .text("\(round)") }),
                router.get("/\(writer)/part-{x}", on: .loop, answering("\(round)")),
                router.mount("/\(writer)/mount", AnsweringHandler(text: "\(round)")),
                router.on({ $0.path == "/closure" }, on: .loop, respond: answering("closure")),
                router.on(.get, /\/regex/, on: .loop, answering("regex")),
                router.fallback(.search, on: .loop, answering("fallback")),
            ]
            router.group("/\(writer)/group", Passing()) { group in
                ids.append(group.get("/a", on: .loop, answering("\(round)")))
            }
            guard round < roundCount - 1 else { return }
            for id in ids { router.remove(id) }
        }
    }

    @Test(arguments: [Router.Order.mostSpecificFirst, .latestFirst])
    func `do so while requests are answered`(_ order: Router.Order) async throws {
        let router = Router(order: order)
        let writerCount = 4
        try await withServer(router: router) { router in
            router.get("/fixed", .inline { _ in .text("fixed") })
            router.get("/fixed/{x}", on: .pool) { .text($0.parameters["x"] ?? "-") }
        } _: { server in
            let left = Note(writerCount)
            for writer in 0..<writerCount {
                try Thread.start(name: "writer-\(writer)") {
                    Self.change(router, writer)
                    left.update { $0 -= 1 }
                }
            }
            try await withThrowingTaskGroup { group in
                for reader in 0..<3 {
                    group.addTask { try await Self.ask(server, reader, until: { left.value == 0 }) }
                }
                try await group.waitForAll()
            }
            let client = try await server.connect()
            let last = "\(Self.roundCount - 1)"
            for writer in 0..<writerCount {
                for path in ["", "/x", "/part-1", "/mount/x", "/group/a"] {
                    let response = try await client.exchange(request("GET /\(writer)\(path)"))
                    #expect(response.text == last, "\(path)")
                }
            }
            #expect(router.table.index.routes.count == 2 + writerCount * 8)
        }
    }

    /// What is always there is always found, and what comes and goes is one or the other.
    private static func ask(
        _ server: TestServer, _ reader: Int, until isOver: () -> Bool
    ) async throws {
        let client = try await server.connect()
        var round = 0
        repeat {
            round += 1
            #expect(try await client.exchange(request("GET /fixed")).text == "fixed")
            let parameter = try await client.exchange(request("GET /fixed/\(round)")).text
            #expect(parameter == "\(round)")
            for path in ["/\(reader)", "/\(reader)/x", "/\(reader)/group/a", "/regex", "/closure"] {
                let status = try await client.exchange(request("GET \(path)")).status
                // 405: a fallback of another method makes every path a known one.
                #expect([200, 404, 405].contains(status), "\(path)")
            }
        } while !isOver()
    }

    @Test func `may be removed by what a handler holds`() {
        final class Holding: Sendable {
            let router: Router
            init(_ router: Router) { self.router = router }
            deinit { router.get("/left", on: .loop, answering("left")) }
        }
        let router = Router()
        let id = { (held: Holding) in
            router.get("/", on: .loop) { _ in .text("\(held.router === router)") }
        }(Holding(router))
        router.remove(id)
        #expect(router.table.index.routes.map(\.description) == ["GET /left"])
    }

    @Test func `leave nothing behind`() {
        let router = Router()
        for number in 0..<100 {
            router.remove(router.get("/\(number)/{x}/a{y}b/{z...}", on: .loop, answering("")))
            router.remove(router.get("/\(number)", on: .loop, answering("")))
            router.remove(router.mount("/\(number)/m", AnsweringHandler(text: "")))
            router.remove(router.fallback(nil, on: .loop, answering("")))
        }
        #expect(router.table.index.isEmpty)
    }
}
