import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `A drive's state` {
    @Test func `survives a restart`() async throws {
        let state = try TemporaryFolder()
        var options = WebDAVHandler.Options()
        options.stateFolder = state.path
        let folder = try TemporaryFolder()
        let body = """
            <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:y xmlns:x="urn:x">1</x:y></D:prop>\
            </D:set></D:propertyupdate>
            """
        try folder.write("1", to: "a")
        var token = ""
        try await Drive.with(folder: folder, options: options) { drive in
            #expect(try await drive.status("PROPPATCH", "/a", body: body) == 207)
            token = try await drive.lock("/a")
        }
        try await Drive.with(folder: folder, options: options) { drive in
            let entry = try await drive.ask("PROPFIND", "/a").multiStatus()["/a"]
            #expect(entry?.text(XMLName(namespace: "urn:x", "y")) == "1")
            #expect(try await drive.status("PUT", "/a", body: "2") == 423)
            let held = ["If": "(<\(token)>)"]
            #expect(try await drive.status("PUT", "/a", held, body: "2") == 204)
        }
    }
}
