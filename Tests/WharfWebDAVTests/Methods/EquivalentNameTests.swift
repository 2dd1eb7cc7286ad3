import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `A name in another normal form` {
    private static let composed = "%C3%A9"
    private static let decomposed = "e%CC%81"

    @Test(arguments: [(composed, decomposed), (decomposed, composed)])
    func `is found`(made: String, asked: String) async throws {
        try await Drive.with { drive in
            let folder = try await drive.status("MKCOL", "/\(made)")
            #expect(folder == 201)
            #expect(try await drive.status("PUT", "/\(made)/\(made)", body: "1") == 201)
            #expect(try await drive.ask("GET", "/\(asked)/\(asked)").text == "1")
            #expect(try await drive.status("GET", "/\(asked)/") == 200)
            let list = try await drive.ask("PROPFIND", "/\(asked)", ["Depth": "1"]).multiStatus()
            #expect(Set(list.keys) == ["/\(made)/", "/\(made)/\(made)"])
            // One resource, one lock.
            let token = try await drive.lock("/\(asked)/\(asked)")
            #expect(try await drive.status("PUT", "/\(made)/\(made)", body: "2") == 423)
            let held = ["If": "(<\(token)>)", "Destination": "/\(asked)/x"]
            #expect(try await drive.status("MOVE", "/\(made)/\(asked)", held) == 201)
            #expect(try await drive.status("PUT", "/\(asked)/x", body: "3") == 204)
            #expect(try await drive.status("DELETE", "/\(asked)") == 204)
            #expect(try await drive.status("GET", "/\(made)/") == 404)
        }
    }

    @Test func `is another where both are there`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "\u{E9}")
            try drive.folder.write("2", to: "e\u{301}")
            #expect(try await drive.ask("GET", "/" + Self.composed).text == "1")
            #expect(try await drive.ask("GET", "/" + Self.decomposed).text == "2")
        }
    }

    @Test func `is kept as it is where nothing is`() async throws {
        try await Drive.with { drive in
            #expect(try await drive.status("PUT", "/" + Self.decomposed, body: "1") == 201)
            let names = try drive.folder.allNames()
            #expect(names.map { Array($0.unicodeScalars) } == [["e", "\u{301}"]])
            #expect(try await drive.status("GET", "/%FF") == 404)
            #expect(try await drive.status("PUT", "/%FF", body: "1") == 201)
        }
    }
}
