import TestSupport
import Testing
import WharfNet
import WharfServer

/// Flaws that other servers have had in serving files.
///
/// docs/proof/0003-strict-http.md says which test fails when which guard is taken out.
@Suite(.timeLimit(.minutes(1))) struct `A known flaw of file servers` {
    private static let size = 4_000

    private static func fill(_ folder: TemporaryFolder) throws {
        try folder.write(String(repeating: "x", count: size), to: "file")
    }

    // 4. CVE-2022-31005: the end of a range overflows, and the process ends.
    @Test(arguments: [
        ("0-9223372036854775807", 206, size), ("9223372036854775807-9223372036854775807", 416, 0),
        ("-9223372036854775808", 206, size), ("0-9223372036854775808", 206, size),
        ("9223372036854775806-", 416, 0), ("99999999999999999999-", 416, 0),
        ("-18446744073709551617", 206, size), ("0-18446744073709551615", 206, size),
    ])
    func `the ends of a range don't overflow`(
        _ row: (range: String, status: Int, count: Int)
    ) async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            let response = try await served.ask("/file", ["Range": "bytes=\(row.range)"])
            #expect(response.status == row.status)
            if row.status == 206 { #expect(response.body.count == row.count) }
            #expect(try await served.ask("/file").body.count == Self.size)
        }
    }

    // 8. CVE-2020-15230: escapes are decoded after the path was judged.
    @Test(arguments: [
        "/%2e%2e%2f%2e%2e%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
        "/..%5c..%5cetc/passwd", "/sub/%2e%2e/%2e%2e/etc/passwd", "/../etc/passwd",
    ])
    func `a decoded path stays inside`(target: String) async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            // What a path that forgot its `..` would find.
            try served.folder.makeFolder("etc")
            try served.folder.write("inside", to: "etc/passwd")
            #expect(try await served.ask(target).status == 400)
        }
    }

    // 18. CVE-2023-37474: the route of the assets has a resolver of its own.
    @Test(arguments: ["%2Fetc%2Fpasswd", "..%2Ffile", "%2e%2e/file", "../file", "%5Cetc"])
    func `below a mounted folder the same paths are refused`(rest: String) async throws {
        try await ServedFolder.with(mount: "/.assets") { served in
            try Self.fill(served.folder)
            #expect(try await served.ask("/.assets/file").status == 200)
            let status = try await served.ask("/.assets/\(rest)").status
            #expect(status == 400 || status == 404)
            #expect(status == 400 || !rest.contains("%"), "an escape was decoded too late")
        }
    }

    // 14. CVE-2026-73254: a name in a listing is markup.
    @Test(arguments: [
        "<img src=x onerror=alert(1)>.txt", "\" onmouseover=alert(1) x=\"", "' onclick=x '",
        "javascript:alert(1)", "&lt;b&gt;", "</td><script>alert(1)<",
    ])
    func `a name in a listing is no markup`(name: String) async throws {
        try await ServedFolder.with { served in
            try served.folder.write("x", to: name.split(separator: "/").joined())
            let response = try await served.ask("/")
            #expect(response.status == 200)
            let policy = response.fields["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'"))
            let rows = Self.after("<tbody>", response.text)
            for part in [
                "<img", "<script", "\" onmouse", "' onclick", "=\"javascript:", "&lt;b&gt;",
            ] {
                #expect(!rows.contains(part), "\(part)")
            }
        }
    }

    private static func after(_ mark: String, _ text: String) -> String {
        var rest = text[...]
        while !rest.isEmpty, !rest.hasPrefix(mark) { rest = rest.dropFirst() }
        return String(rest)
    }

    // 23. dufs #617: what is for reading only is written to. No verb but the safe ones is taken.
    @Test(arguments: [
        ("PUT", 405), ("POST", 405), ("DELETE", 405), ("PATCH", 405), ("MKCOL", 405),
        ("MOVE", 405), ("COPY", 405), ("PROPPATCH", 405), ("LOCK", 405), ("UNLOCK", 405),
        ("WRITE", 501),
    ])
    func `a folder for reading takes no verb that writes`(
        _ row: (method: String, status: Int)
    ) async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            for target in ["/file", "/new", "/"] {
                let fields = ["Destination": "/new", "Content-Length": "0"]
                let response = try await served.ask(target, method: row.method, fields)
                #expect(response.status == row.status, "\(target)")
            }
            #expect(try await served.ask("/file").body.count == Self.size)
            #expect(try await served.ask("/new").status == 404)
        }
    }

    // 27. CVE-2011-3192: ranges that overlap, or many small ones, cost more than the file.
    @Test(arguments: [
        Array(repeating: "0-", count: 16), Array(repeating: "0-", count: 500),
        (0..<500).map { "\($0 * 2)-\($0 * 2)" }, (0..<16).map { "\($0)-" },
    ])
    func `ranges never cost more than the whole`(ranges: [String]) async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            let value = "bytes=" + ranges.joined(separator: ",")
            let response = try await served.ask("/file", ["Range": value])
            #expect([200, 206].contains(response.status))
            #expect(response.body.count < 2 * Self.size)
        }
    }
}
