import TestSupport
import Testing
import WharfHTTP
import WharfPage
import WharfServer
import WharfTesting

@Suite(.timeLimit(.minutes(2))) struct `Recorded exchanges of GCDWebUploader` {
    @Test(arguments: [true, false])
    func `are answered as they were`(_ isDrive: Bool) async throws {
        guard let recorded = RecordedSuite.folder("WebUploader") else { return }
        let transcript = try Transcript(folder: recorded)
        #expect(transcript.exchanges.count == 21)
        let shared = try SharedFolder(RecordedSuite.site(withMovie: false), isDrive: isDrive)
        let differences = try await transcript.replay(over: shared.client)
        #expect(differences.map(\.description) == [])
    }
}
