import Testing
import WharfNet

@testable import WharfHTTPClient

@Suite(.timeLimit(.minutes(1))) struct `What TLS needs at a client` {
    @Test func `is made once, and not on the loop`() async throws {
        let client = try HTTPClient()
        let made = try await withThrowingTaskGroup(of: TLSClient.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await client.loop.confine {
                        let made = try await client.tlsClient()
                        #expect(client.loop.isCurrent)
                        return made
                    }
                }
            }
            return try await group.reduce(into: [TLSClient]()) { $0.append($1) }
        }
        #expect(made.count == 20)
        for other in made { #expect(other === made[0]) }
    }

    @Test func `says what is wrong with it each time`() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.tls.applicationProtocols = [""]
        let client = try HTTPClient(configuration)
        for _ in 0..<2 {
            await #expect(throws: TLSError.self) { _ = try await client.tlsClient() }
        }
    }
}
