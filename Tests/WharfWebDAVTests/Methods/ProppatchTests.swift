import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `PROPPATCH` {
    private let color = XMLName(namespace: "urn:x", "color")

    private func update(_ steps: String) -> String {
        "<D:propertyupdate xmlns:D='DAV:' xmlns:x='urn:x'>\(steps)</D:propertyupdate>"
    }

    private func set(_ property: String) -> String {
        "<D:set><D:prop>\(property)</D:prop></D:set>"
    }

    private func remove(_ property: String) -> String {
        "<D:remove><D:prop>\(property)</D:prop></D:remove>"
    }

    private func color(_ drive: Drive, _ target: String) async throws -> String? {
        try await drive.ask("PROPFIND", target, ["Depth": "0"]).multiStatus().values.first?
            .text(color)
    }

    @Test func `keeps what it is given, and carries it along`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let body = update(set("<x:color b='1'>re<i xmlns=''>d</i></x:color>"))
            let response = try await drive.ask("PROPPATCH", "/a", body: body)
            #expect(response.status == 207)
            #expect(try response.multiStatus()["/a"]?.properties[color]?.status == 200)
            let element = try await drive.ask("PROPFIND", "/a").multiStatus()["/a"]?
                .properties[color]?.element
            #expect(element?.attributes.map(\.value) == ["1"])
            #expect(element?.elements.map(\.name) == [XMLName(namespace: "", "i")])
            _ = try await drive.ask("PUT", "/a", body: "2")
            #expect(try await color(drive, "/a") == "red")
            _ = try await drive.ask("COPY", "/a", ["Destination": "/b"])
            _ = try await drive.ask("MOVE", "/a", ["Destination": "/c"])
            #expect(try await color(drive, "/b") == "red")
            #expect(try await color(drive, "/c") == "red")
            _ = try await drive.ask("DELETE", "/c")
            _ = try await drive.ask("PUT", "/c", body: "3")
            #expect(try await color(drive, "/c") == nil)
        }
    }

    @Test func `goes through its steps in order`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let (one, two) = (set("<x:color>1</x:color>"), set("<x:color>2</x:color>"))
            let none = remove("<x:color/>")
            _ = try await drive.ask("PROPPATCH", "/a", body: update(one + none + two))
            #expect(try await color(drive, "/a") == "2")
            let again = try await drive.ask("PROPPATCH", "/a", body: update(two + none))
            #expect(try again.multiStatus()["/a"]?.properties[color]?.status == 200)
            #expect(try await color(drive, "/a") == nil)
            #expect(try await drive.status("PROPPATCH", "/a", body: update(none)) == 207)
        }
    }

    @Test func `changes all or nothing`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let body = update(set("<x:color>1</x:color><D:getetag>x</D:getetag>"))
            let entry = try await drive.ask("PROPPATCH", "/a", body: body).multiStatus()["/a"]
            #expect(entry?.properties[color]?.status == 424)
            #expect(entry?.status("getetag") == 403)
            #expect(try await color(drive, "/a") == nil)
        }
    }

    @Test(arguments: [
        (
            "<Z:Win32LastModifiedTime xmlns:Z='urn:schemas-microsoft-com:'>Fri, 14 Jul 2017 02:40:00 GMT</Z:Win32LastModifiedTime>",
            200
        ),
        ("<D:getlastmodified>Fri, 14 Jul 2017 02:40:00 GMT</D:getlastmodified>", 200),
        ("<D:lastmodified>1500000000</D:lastmodified>", 200),
        ("<D:getlastmodified>yesterday</D:getlastmodified>", 409),
        // More nanoseconds than 64 bits hold.
        ("<D:getlastmodified>Fri, 31 Dec 9999 23:59:59 GMT</D:getlastmodified>", 409),
        ("<D:lastmodified>-1</D:lastmodified>", 409),
    ])
    func `sets a file's time`(property: String, status: Int) async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let response = try await drive.ask("PROPPATCH", "/a", body: update(set(property)))
            let statuses = try response.multiStatus()["/a"]?.properties.values.map(\.status)
            #expect(statuses == [status])
            let date = try await drive.ask("GET", "/a").fields["last-modified"]
            #expect((date == "Fri, 14 Jul 2017 02:40:00 GMT") == (status == 200))
        }
    }

    @Test func `lets a resource be called something else`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            let body = update(set("<D:displayname>A &amp; B</D:displayname>"))
            _ = try await drive.ask("PROPPATCH", "/a", body: body)
            for depth in ["0", "1"] {
                let entries = try await drive.ask(
                    "PROPFIND", depth == "0" ? "/a" : "/", ["Depth": depth]
                ).multiStatus()
                #expect(entries["/a"]?.text("displayname") == "A & B")
            }
            let body2 = update(remove("<D:displayname/>"))
            _ = try await drive.ask("PROPPATCH", "/a", body: body2)
            let entry = try await drive.ask("PROPFIND", "/a").multiStatus()["/a"]
            #expect(entry?.text("displayname") == "a")
        }
    }

    @Test(arguments: [("/none", "x", 404), ("/a", "", 400), ("/a", "<a/>", 422), ("/a", "<a", 400)])
    func `refuses`(target: String, body: String, status: Int) async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            #expect(try await drive.status("PROPPATCH", target, body: body) == status)
        }
    }
}
