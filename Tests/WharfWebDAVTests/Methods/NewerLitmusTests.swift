import TestSupport
import Testing
import WharfHTTP

@testable import WharfWebDAV

/// What litmus 0.18 looks at and Debian's 0.13 doesn't, with requests of our own.
@Suite struct `As a newer litmus wants it` {
    private func remove(_ drive: Drive) async throws -> RawResponse {
        try await drive.ask(
            "PROPPATCH", "/a",
            body: "<propertyupdate xmlns='DAV:'><remove><prop><x xmlns='u'/></prop></remove>"
                + "</propertyupdate>")
    }

    @Test func `a file without a folder to lie in is 409, exactly`() async throws {
        try await Drive.with { drive in
            let put = try await drive.status("PUT", "/no/a", body: "1")
            #expect(put == 409)
            #expect(try await drive.status("MKCOL", "/no/a/") == 409)
            #expect(try await drive.status("LOCK", "/no/a", body: lockInfo()) == 409)
        }
    }

    @Test func `a new file says no place, or its own`() async throws {
        try await Drive.with { drive in
            let made = try await drive.ask("PUT", "/a", body: "1")
            #expect(made.status == 201 && made.fields["location"] == nil)
        }
    }

    @Test func `a copy may be shallow, and its destination a path`() async throws {
        try await Drive.with { drive in
            try drive.folder.makeFolder("f")
            try drive.folder.write("1", to: "f/a")
            let fields = ["Depth": "0", "Destination": "/g/"]
            #expect(try await drive.status("COPY", "/f/", fields) == 201)
            let list = try await drive.ask("PROPFIND", "/g/", ["Depth": "1"]).multiStatus()
            #expect(Array(list.keys) == ["/g/"])
        }
    }

    @Test func `a property may be removed twice`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            for _ in 0..<2 {
                let answer = try await remove(drive)
                #expect(answer.status == 207 && answer.text.contains("200 OK"))
            }
        }
    }

    @Test func `a list is XML, and its dates are dates`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let answer = try await drive.ask("PROPFIND", "/", ["Depth": "1"])
            #expect(answer.fields["content-type"] == "application/xml; charset=\"utf-8\"")
            for entry in try answer.multiStatus().values {
                let date = entry.text("getlastmodified") ?? ""
                #expect(HTTPDate(date)?.description == date)
                let made = entry.text("creationdate") ?? ""
                #expect(made.count == 20 && made.hasPrefix("20") && made.hasSuffix("Z"))
            }
        }
    }

    @Test func `a file was made when it was made`() async throws {
        try await Drive.with { drive in
            // Changed before it was made, by what a client says: then that is when it was made.
            let fields = ["X-OC-Mtime": "1500000000"]
            #expect(try await drive.status("PUT", "/a", fields, body: "1") == 201)
            let list = try await drive.ask("PROPFIND", "/a", ["Depth": "0"]).multiStatus()
            #expect(list["/a"]?.text("creationdate") == "2017-07-14T02:40:00Z")
            try drive.folder.write("1", to: "b")
            try drive.folder.setTime(of: "b", seconds: 4_000_000_000)
            let later = try await drive.ask("PROPFIND", "/b", ["Depth": "0"]).multiStatus()
            #expect(later["/b"]?.text("creationdate")?.hasPrefix("2096") == false)
        }
    }
}
