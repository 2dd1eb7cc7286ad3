import TestSupport
import Testing

@Suite struct `COPY, MOVE, DELETE, MKCOL and PUT` {
    private func fill(_ drive: Drive) throws {
        try drive.folder.write("1", to: "a")
        try drive.folder.write("2", to: "b")
        try drive.folder.makeFolder("f")
        try drive.folder.write("3", to: "f/c")
        try drive.folder.makeFolder("g")
        try drive.folder.write("4", to: "g/d")
    }

    @Test(arguments: ["COPY", "MOVE"])
    func `put things elsewhere`(method: String) async throws {
        try await Drive.with { drive in
            try fill(drive)
            #expect(try await drive.status(method, "/a", ["Destination": "/n"]) == 201)
            #expect(try await drive.ask("GET", "/n").text == "1")
            #expect(try await drive.status("GET", "/a") == (method == "COPY" ? 200 : 404))
            let whole = ["Destination": "http://localhost/b"]
            #expect(try await drive.status(method, "/n", whole) == 204)
            #expect(try await drive.ask("GET", "/b").text == "1")
            // A folder takes the place of another, and nothing of that one is left.
            #expect(try await drive.status(method, "/f", ["Destination": "/g/"]) == 204)
            #expect(try await drive.status("GET", "/g/d") == 404)
            #expect(try await drive.ask("GET", "/g/c").text == "3")
        }
    }

    @Test func `copy a folder alone`() async throws {
        try await Drive.with { drive in
            try fill(drive)
            let fields = ["Destination": "/h", "Depth": "0"]
            #expect(try await drive.status("COPY", "/f", fields) == 201)
            #expect(try await drive.status("GET", "/h/") == 200)
            #expect(try await drive.status("GET", "/h/c") == 404)
        }
    }

    @Test(
        arguments: [
            ("/a", [:], 400), ("/none", ["Destination": "/n"], 404),
            ("/a", ["Destination": "/b", "Overwrite": "F"], 412),
            ("/a", ["Destination": "/n", "Overwrite": "F"], 201),
            ("/a", ["Destination": "/n", "Overwrite": "x"], 400),
            ("/a", ["Destination": "/no/n"], 409), ("/a", ["Destination": "http://other/n"], 502),
            ("/a", ["Destination": "/../n"], 400), ("/a", ["Destination": "/n#x"], 400),
            ("/a", ["Destination": "/a"], 403), ("/f", ["Destination": "/f/g"], 403),
            ("/f/c", ["Destination": "/f"], 403), ("/a", ["Destination": "/n", "Depth": "1"], 400),
            ("/a", ["Destination": "/n", "If-Match": "\"no\""], 412),
        ] as [(String, [String: String], Int)])
    func `refuse a destination`(target: String, fields: [String: String], status: Int)
        async throws
    {
        for method in ["COPY", "MOVE"] {
            try await Drive.with { drive in
                try fill(drive)
                #expect(try await drive.status(method, target, fields) == status)
                #expect(try await drive.ask("GET", "/b").text == "2")
            }
        }
    }

    /// The page and uploads have their URLs there: nobody would find it again.
    @Test(arguments: [".wharf", ".WHARF"])
    func `make nothing at a reserved name`(name: String) async throws {
        try await Drive.with { drive in
            try fill(drive)
            let to = ["Destination": "/\(name)"]
            for (method, path, fields) in [
                ("MKCOL", "/\(name)", [:]), ("PUT", "/\(name)", [:]), ("MOVE", "/a", to),
                ("COPY", "/a", to), ("MOVE", "/f", to), ("COPY", "/f", to),
            ] {
                #expect(try await drive.status(method, path, fields) == 403, "\(method)")
            }
            #expect(try drive.folder.allNames().contains { $0.lowercased() == ".wharf" } == false)
            #expect(try await drive.status("MKCOL", "/f/.wharf") == 201)
        }
    }

    @Test func `leave the root where it is`() async throws {
        try await Drive.with { drive in
            try fill(drive)
            #expect(try await drive.status("DELETE", "/") == 403)
            #expect(try await drive.status("MOVE", "/", ["Destination": "/n"]) == 403)
            #expect(try await drive.status("COPY", "/a", ["Destination": "/"]) == 403)
            #expect(try await drive.status("GET", "/a") == 200)
        }
    }

    @Test(
        arguments: [
            ("DELETE", "/f", [:], 204), ("DELETE", "/f/", ["Depth": "infinity"], 204),
            ("DELETE", "/f", ["Depth": "0"], 400), ("DELETE", "/none", [:], 404),
            ("DELETE", "/a/", [:], 404), ("DELETE", "/a", ["If-Match": "\"no\""], 412),
            ("MKCOL", "/n", [:], 201), ("MKCOL", "/n/", [:], 201), ("MKCOL", "/a", [:], 405),
            ("MKCOL", "/f", [:], 405), ("MKCOL", "/no/n", [:], 409), ("MKCOL", "/", [:], 405),
        ] as [(String, String, [String: String], Int)])
    func `answer`(method: String, target: String, fields: [String: String], status: Int)
        async throws
    {
        try await Drive.with { drive in
            try fill(drive)
            #expect(try await drive.status(method, target, fields) == status)
            let after = try await drive.status("GET", target)
            if status == 201 { #expect(after == 200 || after == 308) }
            if status == 204 { #expect(after == 404) }
        }
    }

    @Test func `make a folder with properties, or none`() async throws {
        try await Drive.with { drive in
            func body(_ inner: String) -> String {
                """
                <mkcol xmlns="DAV:"><set><prop><resourcetype><collection/></resourcetype>\
                \(inner)</prop></set></mkcol>
                """
            }
            let good = body("<displayname>My folder</displayname>")
            #expect(try await drive.status("MKCOL", "/n", body: good) == 201)
            let entry = try await drive.ask("PROPFIND", "/n", ["Depth": "0"]).multiStatus()["/n/"]
            #expect(entry?.text("displayname") == "My folder")
            let bad = try await drive.ask("MKCOL", "/m", body: body("<getetag>x</getetag>"))
            #expect(bad.status == 424 && bad.text.contains("mkcol-response"))
            #expect(try await drive.status("GET", "/m/") == 404)
            let calendar =
                "<mkcol xmlns='DAV:'><set><prop><resourcetype><x/></resourcetype></prop></set></mkcol>"
            let refused = try await drive.ask("MKCOL", "/m", body: calendar)
            #expect(refused.status == 403 && refused.text.contains("valid-resourcetype"))
            let plain = ["Content-Type": "text/plain"]
            #expect(try await drive.status("MKCOL", "/m", plain, body: "x") == 415)
            #expect(try await drive.status("MKCOL", "/m", body: "<a/>") == 415)
        }
    }

    @Test func `take a file and its time`() async throws {
        try await Drive.with { drive in
            let put = try await drive.ask("PUT", "/n", ["X-OC-Mtime": "1500000000"], body: "1")
            #expect(put.status == 201 && put.fields["x-oc-mtime"] == "accepted")
            let get = try await drive.ask("GET", "/n")
            #expect(get.fields["last-modified"] == "Fri, 14 Jul 2017 02:40:00 GMT")
            #expect(put.fields["etag"] == get.fields["etag"] && put.fields["etag"] != nil)
            let held = ["If-Match": put.fields["etag"] ?? ""]
            #expect(try await drive.status("PUT", "/n", held, body: "2") == 204)
            #expect(try await drive.status("PUT", "/n", held, body: "3") == 412)
            #expect(try await drive.ask("GET", "/n").text == "2")
        }
    }

    @Test(
        arguments: [
            ("/f", [:], 405), ("/no/n", [:], 409), ("/a", ["Content-Range": "bytes 0-0/1"], 400),
            ("/a", ["If-None-Match": "*"], 412), ("/n", ["If-None-Match": "*"], 201),
            ("/n", ["If-None-Match": "JoplinIgnore-1"], 201), ("/n", ["X-OC-Mtime": "x"], 400),
            ("/n/", [:], 409), ("/.n", [:], 201),
        ] as [(String, [String: String], Int)])
    func `take no file`(target: String, fields: [String: String], status: Int) async throws {
        try await Drive.with { drive in
            try fill(drive)
            #expect(try await drive.status("PUT", target, fields, body: "x") == status)
            #expect(try await drive.ask("GET", "/a").text == "1")
        }
    }
}

@Suite struct `OPTIONS` {
    @Test(arguments: [
        (
            true, "1, 2, 3, extended-mkcol",
            "OPTIONS, GET, HEAD, PROPFIND, PUT, DELETE, MKCOL, COPY, MOVE, PROPPATCH, LOCK, UNLOCK"
        ),
        (false, "1, 3", "OPTIONS, GET, HEAD, PROPFIND"),
    ])
    func `tell what can be asked`(isWritable: Bool, dav: String, allow: String) async throws {
        try await Drive.with(isWritable: isWritable) { drive in
            for target in ["/", "/none"] {
                let response = try await drive.ask("OPTIONS", target)
                #expect(response.status == 200 && response.fields["dav"] == dav)
                #expect(response.fields["allow"] == allow)
                #expect(response.fields["ms-author-via"] == "DAV")
            }
            let lock = try await drive.ask("LOCK", "/n", body: lockInfo())
            #expect(lock.status == (isWritable ? 201 : 405))
            #expect(try await drive.status("REPORT", "/") == 405)
            #expect(try await drive.status("NEVER", "/") == 501)
        }
    }
}
