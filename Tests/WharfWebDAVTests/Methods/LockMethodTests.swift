import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `LOCK and UNLOCK` {
    @Test func `keep others from writing`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let token = try await drive.lock("/a")
            let refused = try await drive.ask("PUT", "/a", body: "2")
            #expect(refused.status == 423)
            #expect(refused.text.contains("<D:lock-token-submitted><D:href>/a</D:href>"))
            for (method, fields) in [
                ("DELETE", [:]), ("MOVE", ["Destination": "/b"]), ("PROPPATCH", [:]),
            ] as [(String, [String: String])] {
                #expect(try await drive.status(method, "/a", fields, body: "<a/>") == 423)
            }
            #expect(try await drive.status("GET", "/a") == 200)
            #expect(try await drive.status("COPY", "/a", ["Destination": "/b"]) == 201)
            let held = ["If": "(<\(token)>)"]
            #expect(try await drive.status("PUT", "/a", held, body: "2") == 204)
            #expect(try await drive.status("UNLOCK", "/a", ["Lock-Token": "<\(token)>"]) == 204)
            #expect(try await drive.status("PUT", "/a", body: "3") == 204)
        }
    }

    @Test func `take no owner that would fill every list`() async throws {
        let owner = String(repeating: "x", count: 5000)
        let long = lockInfo().replacing(">me<", with: ">\(owner)<")
        try await Drive.with { drive in
            let status = try await drive.status("LOCK", "/a", body: long)
            #expect(status >= 400)
            #expect(try await drive.status("GET", "/a") == 404)
        }
    }

    @Test func `tell the lock in the answer and in its property`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let fields = ["Depth": "0", "Timeout": "Infinite, Second-5"]
            let response = try await drive.ask("LOCK", "/a", fields, body: lockInfo())
            #expect(response.status == 200)
            let root = try XMLReader.read(response.body)
            let discovery = try await drive.ask("PROPFIND", "/a").multiStatus()["/a"]?
                .properties[.dav("lockdiscovery")]?.element
            for lock in [root.first(.dav("lockdiscovery")), discovery] {
                let active = try #require(lock?.first(.dav("activelock")))
                let token = active.first(.dav("locktoken"))?.first(.dav("href"))?.text
                #expect("<\(token ?? "")>" == response.fields["lock-token"])
                #expect(active.first(.dav("lockroot"))?.text == "/a")
                #expect(active.first(.dav("depth"))?.text == "0")
                #expect(active.first(.dav("owner"))?.text == "me")
                // A week is the longest; some of it may have passed.
                let seconds = Int(active.first(.dav("timeout"))?.text.dropFirst(7) ?? "")
                #expect(seconds.map { (604_700...604_800).contains($0) } == true)
                let scope = active.first(.dav("lockscope"))?.elements.map(\.name)
                #expect(scope == [.dav("exclusive")])
            }
        }
    }

    @Test func `make what isn't there yet`() async throws {
        try await Drive.with { drive in
            let response = try await drive.ask("LOCK", "/new", ["Depth": "0"], body: lockInfo())
            #expect(response.status == 201)
            #expect(try await drive.ask("GET", "/new").body == [])
            #expect(try await drive.status("PUT", "/new", body: "x") == 423)
            #expect(try await drive.status("LOCK", "/no/new", body: lockInfo()) == 409)
        }
    }

    @Test func `guard a folder's members`() async throws {
        try await Drive.with { drive in
            try drive.folder.makeFolder("f")
            try drive.folder.write("1", to: "f/a")
            let token = try await drive.lock("/f")
            #expect(try await drive.status("PUT", "/f/a", body: "2") == 204)
            #expect(try await drive.status("PUT", "/f/b", body: "2") == 423)
            #expect(try await drive.status("MKCOL", "/f/c") == 423)
            #expect(try await drive.status("DELETE", "/f/a") == 423)
            #expect(try await drive.status("MOVE", "/f/a", ["Destination": "/a"]) == 423)
            let tagged = ["If": "<http://localhost/f/> (<\(token)>)"]
            #expect(try await drive.status("PUT", "/f/b", tagged, body: "2") == 201)
        }
    }

    @Test func `reach down, and are reached from there`() async throws {
        try await Drive.with { drive in
            try drive.folder.makeFolder("f")
            try drive.folder.write("1", to: "f/a")
            let token = try await drive.lock("/f", ["Depth": "infinity"])
            #expect(try await drive.status("PUT", "/f/a", body: "2") == 423)
            #expect(try await drive.status("LOCK", "/f/a", body: lockInfo()) == 423)
            // Refreshed by a member, and ended by another.
            let held = ["If": "(<\(token)>)"]
            let refreshed = try await drive.ask("LOCK", "/f/a", held)
            #expect(refreshed.status == 200 && refreshed.fields["lock-token"] == nil)
            #expect(refreshed.text.contains(token))
            #expect(try await drive.status("UNLOCK", "/f/a", ["Lock-Token": "<\(token)>"]) == 204)
            _ = try await drive.lock("/f/a")
            let deep = try await drive.ask("LOCK", "/f", body: lockInfo())
            #expect(deep.status == 423 && deep.text.contains("/f/a"))
        }
    }

    @Test func `end with what they lock`() async throws {
        try await Drive.with { drive in
            try drive.folder.makeFolder("f")
            try drive.folder.write("1", to: "f/a")
            let token = try await drive.lock("/f/a")
            let refused = try await drive.ask("DELETE", "/f")
            #expect(refused.status == 207)
            #expect(try refused.multiStatus()["/f/a"]?.status == "HTTP/1.1 423 Locked")
            #expect(try await drive.status("GET", "/f/a") == 200)
            let held = ["If": "<http://localhost/f/a> (<\(token)>)"]
            #expect(try await drive.status("DELETE", "/f", held) == 204)
            try drive.folder.makeFolder("f")
            #expect(try await drive.status("PUT", "/f/a", body: "2") == 201)
        }
    }

    @Test func `don't travel`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let token = try await drive.lock("/a")
            let fields = ["Destination": "/b", "If": "(<\(token)>)"]
            #expect(try await drive.status("MOVE", "/a", fields) == 201)
            #expect(try await drive.status("PUT", "/b", body: "2") == 204)
            #expect(try await drive.status("PUT", "/a", body: "2") == 201)
        }
    }

    @Test func `are shared by those who want it so`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let first = try await drive.lock("/a", scope: "shared")
            let second = try await drive.lock("/a", scope: "shared")
            #expect(first != second)
            #expect(try await drive.status("LOCK", "/a", body: lockInfo()) == 423)
            #expect(try await drive.status("PUT", "/a", body: "2") == 423)
            let held = ["If": "(<\(second)>)"]
            #expect(try await drive.status("PUT", "/a", held, body: "2") == 204)
        }
    }

    @Test func `belong to a user`() async throws {
        try await Drive.with(users: ["eve", "bob"]) { drive in
            try drive.folder.write("1", to: "a")
            let token = try await drive.lock("/a", ["X-User": "eve"])
            for (user, put, unlock) in [("bob", 423, 403), ("eve", 204, 204)] {
                let held = ["If": "(<\(token)>)", "X-User": user]
                #expect(try await drive.status("PUT", "/a", held, body: "2") == put)
                let fields = ["Lock-Token": "<\(token)>", "X-User": user]
                #expect(try await drive.status("UNLOCK", "/a", fields) == unlock)
            }
        }
    }

    @Test(
        arguments: [
            ("LOCK", "/a", [:], "", 400), ("LOCK", "/a", ["If": "(<urn:x>)"], "", 412),
            ("LOCK", "/a", ["Depth": "1"], "lock", 400), ("LOCK", "/a", [:], "<a/>", 400),
            ("UNLOCK", "/a", [:], "", 400), ("UNLOCK", "/a", ["Lock-Token": "<urn:x>"], "", 409),
            ("LOCK", "/a", ["If": "(<urn:x>)"], "lock", 412), ("PUT", "/a", ["If": "(x"], "2", 400),
            ("PUT", "/a", ["If": " "], "2", 204), ("PUT", "/a", ["If": "(Not <urn:x>)"], "2", 204),
            ("PUT", "/a", ["If": "([\"no\"])"], "2", 412),
            ("PROPFIND", "/a", ["If": "(<urn:x>)"], "", 412),
            // webdavclient3 sends a token with whatever it reads.
            ("GET", "/a", ["If": "(<urn:x>)"], "", 200),
        ] as [(String, String, [String: String], String, Int)])
    func `refuse`(
        method: String, target: String, fields: [String: String], body: String, status: Int
    )
        async throws
    {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let body = body == "lock" ? lockInfo() : body
            #expect(try await drive.status(method, target, fields, body: body) == status)
        }
    }
}
