import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `A file's checksum` {
    private static let sha1 = "SHA1:86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"
    private static let name = XMLName(namespace: "http://owncloud.org/ns", "checksums")
    private static let question = """
        <d:propfind xmlns:d="DAV:" xmlns:o="http://owncloud.org/ns"><d:prop><o:checksums/></d:prop>\
        </d:propfind>
        """

    private func told(_ drive: Drive, _ target: String) async throws -> String? {
        try await drive.ask("PROPFIND", target, ["Depth": "0"], body: Self.question)
            .multiStatus()[target]?.text(Self.name)
    }

    @Test func `is told as long as the file is the same`() async throws {
        try await Drive.with { drive in
            let fields = ["OC-Checksum": Self.sha1, "X-OC-Mtime": "1500000000"]
            let made = try await drive.status("PUT", "/a", fields, body: "a")
            #expect(made == 201)
            #expect(try await told(drive, "/a") == Self.sha1)
            #expect(try await drive.status("MOVE", "/a", ["Destination": "/b"]) == 201)
            #expect(try await told(drive, "/b") == Self.sha1)
            // Nobody has looked at what the copy has.
            #expect(try await drive.status("COPY", "/b", ["Destination": "/c"]) == 201)
            #expect(try await told(drive, "/c") == nil)
            #expect(try await drive.status("PUT", "/b", body: "b") == 204)
            #expect(try await told(drive, "/b") == nil)
        }
    }

    @Test(arguments: [
        ("SHA1:86f7e437faa5a7fce15d1ddcb9eaeaea377667b9", 400),
        ("md5:0cc175b9c0f1b6a831c399e269772661", 201), ("MD5:0cc175b9c0f1b6a831c399e26977266", 400),
        ("SHA256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 201),
        ("ADLER32:00620062", 201), ("x", 400), ("", 400), ("SHA1:", 400),
    ])
    func `is looked at`(value: String, status: Int) async throws {
        try await Drive.with { drive in
            let answer = try await drive.ask("PUT", "/a", ["OC-Checksum": value], body: "a")
            #expect(answer.status == status)
            #expect(try await drive.status("GET", "/a") == (status == 201 ? 200 : 404))
            // A long one goes another way.
            let long = String(repeating: "a", count: 100_000)
            let wrong = try await drive.ask("PUT", "/l", ["OC-Checksum": Self.sha1], body: long)
            #expect(wrong.status == 400)
            #expect(try await drive.status("GET", "/l") == 404)
        }
    }

    @Test func `is nobody's to set or to see`() async throws {
        try await Drive.with { drive in
            _ = try await drive.ask("PUT", "/a", ["OC-Checksum": Self.sha1], body: "a")
            let all = try await drive.ask("PROPFIND", "/a", ["Depth": "0"]).text
            #expect(!all.contains("SHA1") && !all.contains("urn:wharf"))
            let names = "<propfind xmlns='DAV:'><propname/></propfind>"
            let named = try await drive.ask("PROPFIND", "/a", ["Depth": "0"], body: names).text
            #expect(named.contains(":checksums") && !named.contains("urn:wharf"))
            for property in [
                "<x:checksum xmlns:x='urn:wharf:kept'>1</x:checksum>",
                "<x:checksums xmlns:x='http://owncloud.org/ns'>1</x:checksums>",
            ] {
                let body =
                    "<D:propertyupdate xmlns:D='DAV:'><D:set><D:prop>\(property)</D:prop></D:set>"
                    + "</D:propertyupdate>"
                #expect(try await drive.ask("PROPPATCH", "/a", body: body).text.contains("403"))
            }
            #expect(try await told(drive, "/a") == Self.sha1)
        }
    }
}
