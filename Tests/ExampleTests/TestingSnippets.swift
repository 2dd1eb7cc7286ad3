import Testing
import Wharf
import WharfTesting

// What the article on tests shows.

private func notes() -> Router {
    let router = Router()
    router.put("/notes/{id}") { request in
        .text(try await request.text(upTo: 1000), status: .created)
    }
    router.get("/hello") { _ in .text("Hello, world!\n") }
    return router
}

private struct Greeting: HTTPHandler {
    func respond(to request: Request) async throws -> Response {
        .text(request.fields[.acceptLanguage] == "fr" ? "Bonjour\n" : "Hello\n")
    }
}

@Suite struct `A test of a handler` {
    @Test func `needs no socket`() async throws {
        let client = TestClient(notes())
        let response = try await client.put("/notes/1", body: .text("milk"))
        #expect(response.status == .created)
        #expect(response.text == "milk")
    }

    @Test func `may use one`() async throws {
        try await TestServer.run(notes()) { client in
            let response = try await client.get("/hello")
            #expect(response.text == "Hello, world!\n")
        }
    }

    @Test func `may ask a handler alone`() async throws {
        let request = try Request(testing: .get, "/", fields: [.acceptLanguage: "fr"])
        let response = try await Greeting().respond(to: request)
        #expect(response.status == .ok)
    }
}
