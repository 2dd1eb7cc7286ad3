import Testing
import WharfHTTP
@testable import WharfServer

/// A handler that answers with a text.
func answering(_ text: String) -> @Sendable (Request) async throws -> Response {
    { _ in .text(text) }
}

/// What answers with a text at whatever path it is mounted.
struct AnsweringHandler: HTTPHandler {
    let text: String

    func respond(to request: Request) async throws -> Response { .text(text) }
}

/// Asks for each target and expects the text, or the status of an answer that is not 200.
///
/// A status that is followed by a colon also says what is allowed: `405: GET, HEAD, OPTIONS`.
func expectAnswers(
    _ wanted: [(line: String, answer: String)], router: Router = Router(),
    sourceLocation: SourceLocation = #_sourceLocation, routes: (Router) -> Void
) async throws {
    try await withServer(router: router, routes: routes) { server in
        let client = try await server.connect()
        for (line, answer) in wanted {
            let response = try await client.exchange(request(line))
            var found = response.status == 200 ? response.text : "\(response.status)"
            if response.status != 200, let allowed = response["Allow"] { found += ": \(allowed)" }
            #expect(found == answer, "\(line)", sourceLocation: sourceLocation)
        }
    }
}
