import Foundation
import TestSupport
import Testing
import WharfHTTP
import WharfServer
import WharfTesting

@Suite(.timeLimit(.minutes(2))) struct `Recorded exchanges` {
    /// Where answers differ from GCDWebServer's on purpose: a line each, with its reason.
    private static let list = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Conformance/replay-differences.txt")

    /// `WebServer 001 fields Content-Length`: what stands before the reason.
    private static func expectedDifferences() throws -> [String] {
        try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("WebServer ") }
            .map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    }

    private static func summary(_ suite: String, _ difference: Transcript.Difference) -> String {
        let words = difference.description.split { $0 == " " || $0 == ":" }
        return "\(suite) \(words.prefix(3).joined(separator: " "))"
    }

    private func replay(
        _ name: String, count: Int, _ routes: (Router) throws -> Void
    ) async throws {
        guard let folder = RecordedSuite.folder(name) else { return }
        let transcript = try Transcript(folder: folder)
        #expect(transcript.exchanges.count == count)
        let router = Router()
        try routes(router)
        let differences = try await WharfTesting.TestServer.run(router) { client in
            try await transcript.replay(over: client)
        }
        let found = differences.map { Self.summary(name, $0) }
        let expected = try Self.expectedDifferences().filter { $0.hasPrefix(name + " ") }
        #expect(found == expected)
        #expect(!differences.contains { $0.level == .status })
        // In memory they are answered the same.
        var configuration = HTTPServer.Configuration(port: 0)
        configuration.log = .none
        let client = TestClient(router, configuration: configuration)
        #expect(try await transcript.replay(over: client) == differences)
    }

    @Test func `of a form are answered as they were`() async throws {
        try await replay("HTMLForm", count: 2) { RecordedForms.addText(to: $0) }
    }

    @Test func `of a form with files are answered as they were`() async throws {
        try await replay("HTMLFileUpload", count: 2) { RecordedForms.addFiles(to: $0) }
    }

    @Test func `of a site are answered as they were`() async throws {
        guard RecordedSuite.folder("WebServer") != nil else { return }
        let site = try RecordedSuite.site(withMovie: false)
        try await replay("WebServer", count: 12) {
            $0.mount("/", try DirectoryHandler(folder: site.path))
        }
    }

    @Test func `of a film are answered as they were`() async throws {
        guard RecordedSuite.folder("WebServer-Sample-Movie") != nil else { return }
        let site = try RecordedSuite.site(withMovie: true)
        try await replay("WebServer-Sample-Movie", count: 5) {
            $0.mount("/", try DirectoryHandler(folder: site.path))
        }
    }

    @Test func `differ in few ways`() throws {
        #expect(try Self.expectedDifferences().count == 5)
    }
}
