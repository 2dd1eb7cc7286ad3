import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `PROPFIND` {
    private func fill(_ drive: Drive) throws {
        try drive.folder.write("text\n", to: "a.txt")
        try drive.folder.makeFolder("sub")
        try drive.folder.write("<>", to: "sub/b & <c>#%.html")
        try drive.folder.makeFolder("sub/deep")
        try drive.folder.write("x", to: "sub/deep/d")
        try drive.folder.write("x", to: ".hidden")
        try drive.folder.link("out", to: "/etc/passwd")
        try drive.folder.link("sub/up", to: "../sub")
    }

    @Test(
        arguments: [
            ("/", "0", ["/"]), ("/", "1", ["/", "/a.txt", "/sub/"]),
            (
                "/sub", "1",
                ["/sub/", "/sub/b%20%26%20%3Cc%3E%23%25.html", "/sub/deep/", "/sub/up/"]
            ),
            ("/a.txt", "infinity", ["/a.txt"]),
            (
                "/", nil,
                [
                    "/", "/a.txt", "/sub/", "/sub/b%20%26%20%3Cc%3E%23%25.html", "/sub/deep/",
                    "/sub/deep/d", "/sub/up/",
                ]
            ),
        ] as [(String, String?, [String])])
    func `lists as deep as it is asked`(target: String, depth: String?, hrefs: [String])
        async throws
    {
        var options = WebDAVHandler.Options()
        options.showsHidden = false
        try await Drive.with(options: options) { drive in
            try fill(drive)
            let fields = depth.map { ["Depth": $0] } ?? [:]
            let response = try await drive.ask("PROPFIND", target, fields)
            #expect(response.status == 207)
            #expect(response.fields["content-type"] == "application/xml; charset=\"utf-8\"")
            #expect(try response.multiStatus().keys.sorted() == hrefs)
            #expect(response.fields["content-location"] == (target == "/sub" ? "/sub/" : nil))
        }
    }

    @Test func `tells the live properties`() async throws {
        try await Drive.with { drive in
            try fill(drive)
            let entries = try await drive.ask("PROPFIND", "/", ["Depth": "1"]).multiStatus()
            let file = try #require(entries["/a.txt"])
            let get = try await drive.ask("GET", "/a.txt")
            #expect(file.text("getetag") == get.fields["etag"])
            #expect(file.text("getlastmodified") == get.fields["last-modified"])
            #expect(file.text("getcontenttype") == get.fields["content-type"])
            #expect(file.text("getcontentlength") == "5" && file.text("displayname") == "a.txt")
            #expect(file.text("creationdate")?.hasSuffix("Z") == true)
            #expect(file.properties[.dav("resourcetype")]?.element.children == [])
            #expect(file.status("lockdiscovery") == 200 && file.status("supportedlock") == nil)
            let folder = try #require(entries["/sub/"])
            #expect(folder.properties[.dav("resourcetype")]?.element.elements.count == 1)
            #expect(folder.status("getcontentlength") == nil && folder.status("getetag") == nil)
        }
    }

    @Test func `tells those that are asked for, and misses others`() async throws {
        try await Drive.with { drive in
            try fill(drive)
            let body = """
                <propfind xmlns="DAV:"><prop><getetag/><getcontentlength/><supportedlock/>
                <quota-available-bytes/><quota-used-bytes/><current-user-principal/>
                <x:y xmlns:x="urn:x"/><none xmlns=""/></prop></propfind>
                """
            let fields = ["Depth": "1"]
            let response = try await drive.ask("PROPFIND", "/", fields, body: body)
            let entries = try response.multiStatus()
            let root = try #require(entries["/"])
            #expect(Int(root.text("quota-available-bytes") ?? "").map { $0 > 0 } == true)
            #expect(Int(root.text("quota-used-bytes") ?? "").map { $0 > 0 } == true)
            #expect(root.status("getcontentlength") == 404 && root.status("getetag") == 404)
            #expect(root.properties[XMLName(namespace: "urn:x", "y")]?.status == 404)
            #expect(root.properties[XMLName(namespace: "", "none")]?.status == 404)
            #expect(root.properties[.dav("supportedlock")]?.element.elements.count == 2)
            #expect(root.status("current-user-principal") == 200)
            #expect(entries["/a.txt"]?.status("quota-used-bytes") == 404)
            let brief = try await drive.ask(
                "PROPFIND", "/a.txt", ["Depth": "0", "Brief": "t"], body: body)
            #expect(!brief.text.contains("404") && brief.text.contains("getetag"))
            #expect(brief.fields["preference-applied"] == "return=minimal")
        }
    }

    @Test func `tells names alone`() async throws {
        try await Drive.with { drive in
            try fill(drive)
            let body = "<propfind xmlns='DAV:'><propname/></propfind>"
            let entry = try await drive.ask("PROPFIND", "/a.txt", body: body).multiStatus()
            let properties = try #require(entry["/a.txt"]).properties
            #expect(properties.values.allSatisfy { $0.status == 200 && $0.element.text == "" })
            #expect(
                properties[.dav("getetag")] != nil && properties[.dav("quota-used-bytes")] == nil)
        }
    }

    @Test(arguments: [
        ("/nothing", "0", "", 404), ("/a.txt/", "0", "", 404), ("/.hidden", "0", "", 404),
        ("/out", "0", "", 404), ("/", "2", "", 400), ("/", "0", "<a/>", 400), ("/", "0", "<a", 400),
        ("/", "0", "<!DOCTYPE a><a/>", 403), ("/sub/../a.txt", "0", "", 400),
        ("//a.txt", "0", "", 400),
    ])
    func `refuses`(target: String, depth: String, body: String, status: Int) async throws {
        try await Drive.with(isWritable: false) { drive in
            try fill(drive)
            let answer = try await drive.status("PROPFIND", target, ["Depth": depth], body: body)
            #expect(answer == status)
        }
    }

    @Test(
        arguments: [
            (nil, 207), ("text/xml", 207), ("application/xml; charset=utf-8", 207),
            ("text/plain", 415),
        ] as [(String?, Int)])
    func `takes XML of every name`(type: String?, status: Int) async throws {
        try await Drive.with { drive in
            let fields = type.map { ["Depth": "0", "Content-Type": $0] } ?? ["Depth": "0"]
            let body = "<propfind xmlns='DAV:'><allprop/></propfind>"
            let answer = try await drive.status("PROPFIND", "/", fields, body: body)
            #expect(answer == status)
        }
    }

    @Test(arguments: [(6, 207), (5, 403)])
    func `bounds what lies at any depth`(countMax: Int, status: Int) async throws {
        var options = WebDAVHandler.Options()
        options.infiniteListMax = countMax
        options.showsHidden = false
        try await Drive.with(options: options) { drive in
            try fill(drive)
            let response = try await drive.ask("PROPFIND", "/", ["Depth": "infinity"])
            #expect(response.status == status)
            #expect(response.text.contains("propfind-finite-depth") == (status == 403))
        }
    }

    @Test func `lists more than fits one job, under the handler's prefix`() async throws {
        var options = WebDAVHandler.Options()
        options.basePath = "/outside"
        try await Drive.with(mount: "/my drive", options: options) { drive in
            for index in 0..<600 { try drive.folder.write("x", to: "f\(index)") }
            let response = try await drive.ask("PROPFIND", "/my%20drive/", ["Depth": "1"])
            let hrefs = try response.multiStatus().keys
            #expect(hrefs.count == 601 && hrefs.contains("/outside/my%20drive/f599"))
            #expect(hrefs.contains("/outside/my%20drive/"))
        }
    }

    @Test func `carries names that XML can't`() async throws {
        try await Drive.with { drive in
            try drive.folder.write(Array("x".utf8), to: [0x61, 0x01, 0xFF])
            let entries = try await drive.ask("PROPFIND", "/", ["Depth": "1"]).multiStatus()
            #expect(entries["/a%01%FF"]?.text("displayname") == "a\u{FFFD}\u{FFFD}")
        }
    }

    @Test func `shows names with a dot to those who can write`() async throws {
        for isWritable in [true, false] {
            try await Drive.with(isWritable: isWritable) { drive in
                try fill(drive)
                let entries = try await drive.ask("PROPFIND", "/", ["Depth": "1"]).multiStatus()
                #expect((entries["/.hidden"] != nil) == isWritable)
                #expect(try await drive.status("GET", "/.hidden") == (isWritable ? 200 : 404))
                #expect(try await !drive.ask("GET", "/").text.contains("hidden"))
            }
        }
    }

    @Test func `lets nobody make what is hidden`() async throws {
        var options = WebDAVHandler.Options()
        options.showsHidden = false
        try await Drive.with(options: options) { drive in
            try fill(drive)
            for (method, target, fields) in [
                ("PUT", "/.n", [:]), ("MKCOL", "/.n", [:]), ("PUT", "/sub/.n", [:]),
                ("COPY", "/a.txt", ["Destination": "/.n"]),
            ] as [(String, String, [String: String])] {
                #expect(try await drive.status(method, target, fields) == 403)
            }
            let lock = try await drive.status("LOCK", "/.n", body: lockInfo())
            #expect(lock == 403)
        }
    }
}
