import Foundation
import TestSupport
import Testing
import WharfHTTP
import WharfPage
import WharfServer
import WharfTesting

@Suite(.timeLimit(.minutes(2))) struct `Recorded exchanges of GCDWebUploader` {
    /// What differs on purpose: text says that it is UTF-8, and a name of ASCII is told once.
    private static let expected = [
        "019 fields: Content-Type: text/plain; charset=utf-8, not text/plain",
        "019 fields: Content-Disposition: attachment; filename=\"Copy.txt\", "
            + "not attachment; filename=\"Copy.txt\"; filename*=UTF-8''Copy.txt",
    ]

    @Test(arguments: [true, false])
    func `are answered as they were`(_ isDrive: Bool) async throws {
        guard let recorded = RecordedSuite.folder("WebUploader") else { return }
        let transcript = try Transcript(folder: recorded)
        #expect(transcript.exchanges.count == 22)
        let shared = try SharedFolder(RecordedSuite.site(withMovie: false), isDrive: isDrive)
        var comparison = Transcript.Comparison()
        // JSON has the same values in another order, and slashes that are not escaped.
        comparison.ignoredFields.insert(.contentLength)
        let asBytes = comparison.bodiesAgree
        comparison.bodiesAgree = { fields, then, now in
            guard fields[.contentType] == "application/json" else {
                return asBytes(fields, then, now)
            }
            return Self.entries(then) == Self.entries(now)
        }
        let differences = try await transcript.replay(over: shared.client, comparing: comparison)
        #expect(Set(differences.map(\.description)) == Set(Self.expected))
    }

    private enum Content: Equatable {
        case done
        case list([Entry])
        case other
    }

    private struct Entry: Decodable, Equatable {
        let path: String
        let name: String
        let size: Int?
    }

    private static func entries(_ bytes: [UInt8]) -> Content {
        if bytes == Array("{}".utf8) { return .done }
        return (try? JSONDecoder().decode([Entry].self, from: Data(bytes))).map(Content.list)
            ?? .other
    }
}
