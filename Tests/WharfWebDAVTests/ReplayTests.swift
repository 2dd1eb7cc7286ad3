import Foundation
import TestSupport
import Testing
import WharfHTTP
import WharfServer
import WharfTesting

@testable import WharfWebDAV

@Suite(.timeLimit(.minutes(2))) struct `Recorded drives` {
    /// Where answers differ from GCDWebServer's on purpose: a line each, with its reason.
    private static let list = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Conformance/replay-differences.txt")

    /// `WebDAV-Finder 001 fields DAV`: what stands before the reason.
    private static func expectedDifferences(_ suite: String) throws -> [String] {
        try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix(suite + " ") }
            .map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    }

    private static func summary(_ suite: String, _ difference: Transcript.Difference) -> String {
        let words = difference.description.split { $0 == " " || $0 == ":" }
        return "\(suite) \(words.prefix(3).joined(separator: " "))"
    }

    /// Bodies of XML agree if the one of now says all that the recorded one does.
    private static func comparison() -> Transcript.Comparison {
        var comparison = Transcript.Comparison()
        // Lists are sent as they are made.
        comparison.ignoredFields.formUnion([.contentLength, .lastModified])
        let usual = comparison.bodiesAgree
        comparison.bodiesAgree = { fields, recorded, present in
            guard let then = RecordedXML(recorded), let now = RecordedXML(present) else {
                return usual(fields, recorded, present)
            }
            return then.isSaid(by: now)
        }
        return comparison
    }

    @Test(
        arguments: [("WebDAV-Transmit", 24), ("WebDAV-Cyberduck", 36), ("WebDAV-Finder", 298)])
    func `are answered as they were`(suite: String, count: Int) async throws {
        guard let folder = RecordedSuite.folder(suite) else { return }
        let transcript = try Transcript(folder: folder)
        #expect(transcript.exchanges.count == count)
        let site = try RecordedSuite.site(withMovie: false)
        var options = WebDAVHandler.Options()
        options.showsHidden = false
        let share = try Share(folder: site.path, isWritable: true)
        let router = Router()
        router.mount("/", try WebDAVHandler(share, options: options))
        let differences = try await WharfTesting.TestServer.run(router) { client in
            try await transcript.replay(over: client, comparing: Self.comparison())
        }.filter { difference in
            // Of a page about an error the status counts.
            !difference.description.hasSuffix("not text/html; charset=utf-8")
        }
        let found = differences.map { Self.summary(suite, $0) }
        let expected = try Self.expectedDifferences(suite)
        #expect(found == expected, "\(differences.map(\.description))")
        #expect(!differences.contains { $0.level == .status })
    }
}
