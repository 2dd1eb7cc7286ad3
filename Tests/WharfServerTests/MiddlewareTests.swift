import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A middleware` {
    private enum Trail: RequestKey { typealias Value = [String] }

    /// Leaves its name on the way in and on the way out.
    private struct Marking: HTTPMiddleware {
        let name: String

        func respond(to request: Request, next: Next) async throws -> Response {
            var request = request
            request[Trail.self, default: []].append("in \(name)")
            var response = try await next(request)
            response.fields.append(HTTPField(name: .init("X-Out")!, value: name))
            return response
        }
    }

    @Sendable fileprivate static func trail(_ request: Request) -> Response {
        .text((request[Trail.self] ?? []).joined(separator: ", "))
    }

    @Test(arguments: ["/loop", "/pool", "/inline", "/mounted/x", "/matched"])
    func `wraps the ones that were put after it`(_ path: String) async throws {
        struct Handler: HTTPHandler {
            func respond(to request: Request) async throws -> Response {
                `A middleware`.trail(request)
            }
        }
        try await withServer { router in
            router.get("/before", on: .loop) { Self.trail($0) }
            router.use(Marking(name: "a"))
            router.use(Marking(name: "b"))
            router.get("/loop", on: .loop) { Self.trail($0) }
            router.get("/pool", on: .pool) { Self.trail($0) }
            router.get("/inline", .inline { Self.trail($0) })
            router.mount("/mounted", Handler())
            router.on({ $0.path == "/matched" }, on: .loop) { Self.trail($0) }
            router.use(Marking(name: "c"))
        } _: { server in
            let client = try await server.connect()
            let response = try await client.exchange(request("GET \(path)"))
            #expect(response.text == "in a, in b")
            #expect(response["X-Out"] == "b|a")
            #expect(try await client.exchange(request("GET /before"))["X-Out"] == nil)
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `may answer itself before anything of the body is read`(_ place: Execution) async throws {
        let wasCalled = Note(false)
        try await withServer { router in
            router.use(Refusing())
            router.post("/", on: place) { request in
                wasCalled.value = true
                return .bytes(try await request.body.collect(upTo: 100))
            }
        } _: { server in
            let client = try await server.connect()
            let response = try await client.exchange(
                request("POST /", ["Expect: 100-continue", "Content-Length: 5"]))
            #expect(response.status == 401)
            #expect(response["WWW-Authenticate"] == "Basic realm=\"x\"")
            #expect(!wasCalled.value)
        }
    }

    @Test func `sees the errors of what comes after it`() async throws {
        struct Rescuing: HTTPMiddleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                do {
                    return try await next(request)
                } catch let error as HTTPBodyTooLarge {
                    return .text("at most \(error.byteCountMax)")
                } catch let error as HTTPError {
                    return .text("rescued \(error.status.code)")
                }
            }
        }
        try await withServer { router in
            router.use(Rescuing())
            router.get("/", on: .pool) { _ in throw HTTPError(.conflict) }
            router.post("/", on: .loop, bodyMax: 10) { .bytes(try await $0.body.collect(upTo: 10)) }
        } _: { server in
            let rescued = try await server.exchange(request("GET /"))
            #expect(rescued.text == "rescued 409")
            let refused = try await server.exchange(request("POST /", ["Content-Length: 11"]))
            #expect(refused.text == "at most 10")
        }
    }

    @Test func `may ask more than once`() async throws {
        struct Asking: HTTPMiddleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                do { return try await next(request) } catch { return try await next(request) }
            }
        }
        let callCount = Note(0)
        try await withServer { router in
            router.use(Asking())
            router.get("/", on: .pool) { _ in
                callCount.value += 1
                guard callCount.value > 1 else { throw HTTPError(.conflict) }
                return .text("at last")
            }
        } _: { server in
            let response = try await server.exchange(request("GET /"))
            #expect(response.text == "at last")
        }
    }
}

extension Request {
    fileprivate subscript<Key: RequestKey>(_ key: Key.Type, default value: Key.Value) -> Key.Value {
        get { self[key] ?? value }
        set { self[key] = newValue }
    }
}
