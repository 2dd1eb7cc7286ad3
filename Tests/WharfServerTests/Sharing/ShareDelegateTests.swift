import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The delegate of a share` {
    /// Notes what it was asked and told, and refuses what it was told to refuse.
    private struct Hooks: ShareDelegate {
        let notes = Note<[String]>([])
        var refusal: HTTPError?
        var allows = true

        private func decide(_ what: String) throws -> Bool {
            notes.update { $0.append(what) }
            if let refusal { throw refusal }
            return allows
        }

        func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool {
            let bytes = try upload.temporaryPath.flatMap {
                try WholeFile.read($0, byteCountMax: 100)
            }
            let content = bytes.map { String(decoding: $0, as: UTF8.self) } ?? "?"
            return try decide(
                "should upload \(upload.path) \(upload.byteCount) \(upload.isReplacing) \(content)")
        }

        func didUpload(_ upload: ShareUpload, for request: Request) async {
            notes.update { $0.append("did upload \(upload.path) \(upload.isReplacing)") }
        }

        func shouldDownload(_ path: String, for request: Request) async throws -> Bool {
            try decide("should download \(path)")
        }

        func didDownload(_ path: String, for request: Request) async {
            notes.update { $0.append("did download \(path)") }
        }

        /// What was noted, when there is so much of it or two seconds have passed.
        func notes(_ count: Int) async -> [String] {
            for _ in 0..<200 where notes.value.count < count {
                try? await Task.sleep(for: .milliseconds(10))
            }
            return notes.value
        }
    }

    @Test func `is told of a download when it was sent, and not when the client has left`()
        async throws
    {
        let hooks = Hooks()
        try await WritableFolder.with(isWritable: false, delegate: hooks) { share async throws in
            // More than sockets hold.
            try share.folder.write([UInt8](repeating: 65, count: 32 << 20), to: Array("big".utf8))
            try share.folder.write("1", to: "a")
            let client = try await share.server.connect(receiveBufferSize: 4096)
            try await client.send(request("GET /big"))
            #expect(await hooks.notes(1) == ["should download big"])
            client.close()
            #expect(try await share.server.exchange(request("GET /a")).text == "1")
            let notes = await hooks.notes(3)
            #expect(notes == ["should download big", "should download a", "did download a"])
        }
    }

    @Test func `is asked about an upload when it is complete, and told of it`() async throws {
        let hooks = Hooks()
        try await WritableFolder.with(delegate: hooks) { share async throws in
            #expect(try await share.put("/a b.txt", "one").status == 400)
            #expect(try await share.put("/a%20b.txt", "one").status == 201)
            #expect(try await share.put("/a%20b.txt", "four").status == 204)
            #expect(
                hooks.notes.value == [
                    "should upload a b.txt 3 false one", "did upload a b.txt false",
                    "should upload a b.txt 4 true four", "did upload a b.txt true",
                ])
        }
    }

    @Test(arguments: [nil, 409]) func `can refuse an upload`(_ code: Int?) async throws {
        let refusal = code.map { HTTPError(HTTPResponse.Status(code: $0)) }
        let hooks = Hooks(refusal: refusal, allows: false)
        try await WritableFolder.with(delegate: hooks) { share async throws in
            try share.folder.write("old", to: "a.txt")
            #expect(try await share.put("/a.txt").status == code ?? 403)
            #expect(try share.text("a.txt") == "old")
            #expect(try share.names() == ["a.txt"])
            #expect(hooks.notes.value == ["should upload a.txt 3 true new"])
        }
    }

    @Test func `is asked about files that are sent, and not about folders`() async throws {
        let hooks = Hooks()
        try await WritableFolder.with(isWritable: false, delegate: hooks) { share async throws in
            try share.folder.write("old", to: "a.txt")
            #expect(try await share.server.exchange(request("GET /a.txt")).text == "old")
            #expect(await hooks.notes(2) == ["should download a.txt", "did download a.txt"])
            #expect(try await share.server.exchange(request("HEAD /a.txt")).status == 200)
            #expect(try await share.server.exchange(request("GET /")).status == 200)
            #expect(try await share.server.exchange(request("GET /none")).status == 404)
            #expect(hooks.notes.value.count == 2)
        }
    }

    @Test func `can refuse to send a file`() async throws {
        try await WritableFolder.with(delegate: Hooks(allows: false)) { share async throws in
            try share.folder.write("old", to: "a.txt")
            #expect(try await share.server.exchange(request("GET /a.txt")).status == 403)
        }
    }
}
