import TestSupport
import Testing

@testable import WharfWebDAV

@Suite struct `Writing a part of a file` {
    private static let patch = [
        "Content-Type": "application/x-sabredav-partialupdate", "X-Update-Range": "bytes=2-3",
    ]

    private func with(_ body: (Drive) async throws -> Void) async throws {
        var options = WebDAVHandler.Options()
        options.allowsPartialWrites = true
        try await Drive.with(options: options) { drive in
            try drive.folder.write("012345", to: "a")
            try await body(drive)
            let names = try drive.folder.allNames()
            #expect(!names.contains { $0.hasPrefix(".wharf") })
        }
    }

    @Test(arguments: [
        ("bytes=2-3", "xy", 204, "01xy45"), ("bytes=0-5", "abcdef", 204, "abcdef"),
        ("bytes=4-", "xyz", 204, "0123xyz"), ("bytes=-2", "xy", 204, "0123xy"),
        ("append", "xy", 204, "012345xy"), ("bytes=8-9", "xy", 204, "012345\0\0xy"),
        ("bytes=-6", "x", 204, "x12345"), ("bytes=-7", "x", 416, "012345"),
        ("bytes=2-3", "xyz", 416, "012345"), ("bytes=3-2", "xy", 400, "012345"),
        ("bytes=2-3,4-5", "xy", 400, "012345"), ("bytes=", "xy", 400, "012345"),
        ("bytes=99999999999999999-", "xy", 416, "012345"), ("", "xy", 400, "012345"),
    ])
    func `patches it`(range: String, body: String, status: Int, text: String) async throws {
        try await with { drive in
            var fields = Self.patch
            fields["X-Update-Range"] = range
            let answer = try await drive.ask("PATCH", "/a", fields, body: body)
            #expect(answer.status == status)
            let after = try await drive.ask("GET", "/a")
            #expect(after.text == text)
            if status == 204 { #expect(answer.fields["etag"] == after.fields["etag"]) }
        }
    }

    @Test(
        arguments: [
            ("/none", [:], 404), ("/a", ["Content-Type": "text/plain"], 415),
            ("/a", ["If-Match": "\"no\""], 412),
        ] as [(String, [String: String], Int)])
    func `refuses a patch`(target: String, fields: [String: String], status: Int) async throws {
        try await with { drive in
            let fields = Self.patch.merging(fields) { $1 }
            let answer = try await drive.status("PATCH", target, fields, body: "xy")
            #expect(answer == status)
            #expect(try await drive.ask("GET", "/a").text == "012345")
        }
    }

    @Test(arguments: [
        ("/a", "bytes 2-3/6", "xy", 204, "01xy45"), ("/a", "bytes 6-7/8", "xy", 204, "012345xy"),
        ("/a", "bytes 2-3/*", "xy", 204, "01xy45"), ("/n", "bytes 0-1/2", "xy", 201, "xy"),
        ("/a", "bytes 7-8/9", "xy", 416, "012345"), ("/a", "bytes 2-3/6", "x", 416, "012345"),
        ("/a", "bytes 2-3", "xy", 400, "012345"), ("/a", "bytes 2-3/3", "xy", 400, "012345"),
        ("/a", "lines 2-3/6", "xy", 400, "012345"),
    ])
    func `puts it`(
        target: String, range: String, body: String, status: Int, text: String
    ) async throws {
        try await with { drive in
            let fields = ["Content-Range": range]
            let answer = try await drive.status("PUT", target, fields, body: body)
            #expect(answer == status)
            #expect(try await drive.ask("GET", target).text == text)
        }
    }

    @Test func `is told where it can be, and nowhere else`() async throws {
        try await with { drive in
            let answer = try await drive.ask("OPTIONS", "/")
            #expect(answer.fields["dav"]?.hasSuffix(", sabredav-partialupdate") == true)
            #expect(answer.fields["allow"]?.hasSuffix(", PATCH") == true)
            #expect(answer.fields["accept-patch"] == "application/x-sabredav-partialupdate")
            let token = try await drive.lock("/a")
            #expect(try await drive.status("PATCH", "/a", Self.patch, body: "xy") == 423)
            let held = Self.patch.merging(["If": "(<\(token)>)"]) { $1 }
            #expect(try await drive.status("PATCH", "/a", held, body: "xy") == 204)
        }
        try await Drive.with { drive in
            try drive.folder.write("012345", to: "a")
            #expect(try await drive.status("PATCH", "/a", Self.patch, body: "xy") == 405)
            #expect(try await drive.ask("GET", "/a").text == "012345")
            #expect(try await drive.ask("OPTIONS", "/").fields["accept-patch"] == nil)
        }
    }
}
