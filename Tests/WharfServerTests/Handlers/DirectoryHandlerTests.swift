import Glibc
import TestSupport
import Testing

@testable import WharfNet
@testable import WharfServer

@Suite struct `A directory handler` {
    private static func fill(_ folder: TemporaryFolder) throws {
        try folder.write("text\n", to: "file.txt")
        try folder.write("", to: "empty")
        try folder.makeFolder("sub")
        try folder.makeFolder("sub/deep")
        try folder.write("<h1>page</h1>", to: "sub/index.html")
        try folder.write("x", to: "sub/a b%.bin")
        try folder.makeFolder(".git")
        try folder.write("hidden", to: ".git/config")
        try folder.write("hidden", to: ".hidden")
        try folder.link("inside", to: "file.txt")
        try folder.link("outside", to: "/etc/passwd")
        try folder.link("up", to: "..")
    }

    @Test(
        arguments: PollerKind.allCases,
        [
            ("/file.txt", 200), ("/file.txt?query", 200), ("/./file.txt", 400),
            ("//file.txt", 404), ("/sub//deep/", 404), ("/sub/../file.txt", 400),
            ("/sub/%2e%2E/file.txt", 400), ("/%66ile.txt", 200),
            ("/sub/a%20b%25.bin", 200), ("/inside", 200), ("/empty", 200),
            ("/", 200), ("/sub/", 200), ("/sub/deep/", 200), ("/?a/b", 200),
            ("/sub", 308), ("/sub/deep", 308),
            ("/nothing", 404), ("/nothing/", 404), ("/file.txt/", 404), ("/file.txt/x", 404),
            ("/FILE.TXT", 404), ("/outside", 404), ("/up/", 404), ("/up/etc/passwd", 404),
            ("/.hidden", 404), ("/.git/config", 404), ("/.git/", 404), ("/sub/.", 400),
            ("/%2egit/config", 404), ("/sub%00", 400), ("/file.txt%00.html", 400),
            ("/..", 400), ("/../file.txt", 400), ("/%2e%2e/file.txt", 400),
            ("/sub%2fa", 400), ("/sub%5ca", 400),
            ("/..%c0%af", 404), ("/%c0%ae%c0%ae/", 404), ("/%252e%252e/", 404),
        ] as [(String, Int)])
    func `answers a path`(_ kind: PollerKind, _ row: (target: String, status: Int)) async throws {
        try await ServedFolder.with(kind) { served in
            try Self.fill(served.folder)
            let response = try await served.ask(row.target)
            #expect(response.status == row.status, "\(row.target)")
            #expect(response.fields["content-length"] == "\(response.body.count)")
            let head = try await served.ask(row.target, method: "HEAD")
            #expect(head.status == row.status)
            #expect(head.fields["content-length"] == response.fields["content-length"])
            #expect(head.body.isEmpty)
        }
    }

    @Test(arguments: ["/%", "/%zz", "/file%2", "/sub/%"])
    func `refuses escapes that are none`(_ target: String) async throws {
        try await ServedFolder.with { served in
            let status = try await served.ask(target).status
            #expect((400..<500).contains(status))
        }
    }

    @Test func `describes a file`() async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            let response = try await served.ask("/file.txt")
            #expect(response.text == "text\n")
            #expect(response.fields["content-type"] == "text/plain; charset=utf-8")
            #expect(response.fields["accept-ranges"] == "bytes")
            #expect(response.fields["x-content-type-options"] == "nosniff")
            #expect(response.fields["last-modified"]?.hasSuffix("GMT") == true)
            let tag = try #require(response.fields["etag"])
            #expect(tag.hasPrefix("\""))
            try served.folder.write("other", to: "file.txt")
            #expect(try await served.ask("/file.txt").fields["etag"] != tag)
            let binary = try await served.ask("/sub/a%20b%25.bin").fields["content-type"]
            #expect(binary == "application/octet-stream")
        }
    }

    @Test(
        arguments: [
            ("/sub", "/sub/"), ("//sub", nil), ("/sub/deep?q=1&r=//x", "/sub/deep/?q=1&r=//x"),
            ("/.//sub", nil), ("/%73ub", "/sub/"),
        ] as [(String, String?)])
    func `sends to a folder's own path, never to a host`(_ target: String, _ location: String?)
        async throws
    {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            #expect(try await served.ask(target).fields["location"] == location)
        }
    }

    @Test(arguments: [
        ("/up%20here", 308), ("/up%20here/", 200), ("/up%20here/file.txt", 200),
        ("/up%20here//file.txt", 404), ("/file.txt", 404), ("/up%20here/../file.txt", 400),
    ])
    func `stays below the prefix that it is mounted at`(_ target: String, _ status: Int)
        async throws
    {
        try await ServedFolder.with(mount: "/up here") { served in
            try Self.fill(served.folder)
            let response = try await served.ask(target)
            #expect(response.status == status)
            if status == 308 { #expect(response.fields["location"] == "/up%20here/") }
        }
    }

    @Test(arguments: [
        ("POST", 405), ("PUT", 405), ("DELETE", 405), ("PATCH", 405), ("PROPFIND", 405),
        ("MKCOL", 405), ("TRACE", 405), ("OPTIONS", 204), ("BREW", 501), ("get", 501),
    ])
    func `is for reading only`(_ method: String, _ status: Int) async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            for target in ["/file.txt", "/", "/nothing"] {
                let response = try await served.ask(target, method: method)
                #expect(response.status == status)
                if status != 501 { #expect(response.fields["allow"] == "GET, HEAD, OPTIONS") }
            }
            #expect(try await served.ask("/file.txt").text == "text\n")
        }
    }

    @Test(arguments: ["GET", "HEAD"])
    func `waits for no pipe, and does not list it`(_ method: String) async throws {
        try await ServedFolder.with { served in
            try #require(unsafe mkfifo(served.folder.absolute(Array("pipe".utf8)), 0o644) == 0)
            try served.folder.write("text", to: "file")
            for target in ["/pipe", "/pipe/"] {
                #expect(try await served.ask(target, method: method).status == 403)
            }
            let page = try await served.ask("/").text
            #expect(page.contains("file") && !page.contains("pipe"))
        }
    }

    @Test func `shows what is hidden when it is told to`() async throws {
        var options = DirectoryHandler.Options()
        options.showsHidden = true
        try await ServedFolder.with(options: options) { served in
            try Self.fill(served.folder)
            #expect(try await served.ask("/.git/config").text == "hidden")
            #expect(try await served.ask("/").text.contains("href=\".hidden\""))
        }
    }

    @Test func `takes an index when it is told to`() async throws {
        var options = DirectoryHandler.Options()
        options.indexName = "index.html"
        options.listsFolders = false
        try await ServedFolder.with(options: options) { served in
            try Self.fill(served.folder)
            let response = try await served.ask("/sub/")
            #expect(response.text == "<h1>page</h1>")
            #expect(response.fields["content-type"] == "text/html; charset=utf-8")
            #expect(try await served.ask("/").status == 404)
            try served.folder.makeFolder("index.html")
            #expect(try await served.ask("/").status == 404)
        }
    }

    @Test func `lists a folder, and escapes what stands in it`() async throws {
        try await ServedFolder.with { served in
            try Self.fill(served.folder)
            let names = [
                "<img src=x onerror=alert(1)>.txt", "a:b", "\" onmouseover=\"x", "100%", "ü",
            ]
            for name in names { try served.folder.write("content of \(name)", to: name) }
            try served.folder.write([7], to: [0xFF, 0x0A])
            let response = try await served.ask("/")
            let page = response.text
            #expect(response.fields["content-type"] == "text/html; charset=utf-8")
            #expect(response.fields["x-content-type-options"] == "nosniff")
            #expect(
                response.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(!page.contains("<img") && !page.contains("hidden") && !page.contains("outside"))
            // Every link leads to what it names.
            var bodies = Set<String>()
            for match in page.matches(of: /href="([^"]*)"/) where !match.1.hasSuffix("/") {
                let linked = try await served.ask("/" + String(match.1))
                #expect(linked.status == 200)
                bodies.insert(linked.text)
            }
            for name in names { #expect(bodies.contains("content of \(name)")) }
            #expect(bodies.contains("\u{7}"))
            let sub = try await served.ask("/sub/").text
            #expect(sub.contains("<a href=\"../\">Parent folder</a>"))
            #expect(sub.contains("href=\"deep/\""))
        }
    }

    @Test(arguments: [
        (Errno.accessDenied, 403), (.tooManyOpenFiles, 503), (.wouldBlock, 503), (Errno(5), 500),
        (.notFound, 404),
    ])
    func `tells what an error means`(_ error: Errno, _ status: Int) async throws {
        try await ServedFolder.with(system: FailingSystem(error)) { served in
            let response = try await served.ask("/file.txt")
            #expect(response.status == status)
            #expect(response.fields["x-content-type-options"] == "nosniff")
            #expect(response.text.hasPrefix("\(status) "))
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `sends a file that is not in memory, and one that shrinks only in part`(
        _ kind: PollerKind
    ) async throws {
        let system = try UncachedSystem()
        try await ServedFolder.with(kind, system: system) { served in
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 7) }
            try served.folder.write(bytes, to: Array("big".utf8))
            #expect(try await served.ask("/big").body == bytes)
            #expect(
                try await served.ask("/big", ["Range": "bytes=1000000-"]).body
                    == bytes[1_000_000...].map(\.self))
            // Claims a byte more than there is: the answer must not look whole.
            system.surplus = 1
            let response = try? await served.ask("/big")
            #expect(response == nil || response.map { $0.body.count < bytes.count + 1 } == true)
        }
    }
}

/// Opens nothing below the root.
private final class FailingSystem: System, @unchecked Sendable {
    private let error: Errno

    init(_ error: Errno) throws(Errno) {
        self.error = error
        try super.init()
    }

    override func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        if path == Array(".".utf8) {
            return super.openBeneath(
                directory, path, flags: flags, mode: mode, cachedOnly: cachedOnly)
        }
        return .failure(error)
    }
}

/// Has nothing in memory before it was read, and may lie about sizes.
private final class UncachedSystem: System, @unchecked Sendable {
    var surplus: Int64 = 0

    override func status(of descriptor: Int32) -> Result<FileStatus, Errno> {
        super.status(of: descriptor).map { status in
            var status = status
            if status.kind == .file { status.size += surplus }
            return status
        }
    }

    override func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        cachedOnly
            ? .failure(.wouldBlock)
            : super.openBeneath(directory, path, flags: flags, mode: mode, cachedOnly: false)
    }

    override func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult {
        cachedOnly
            ? .failure(.wouldBlock)
            : unsafe super.read(descriptor, into: bytes, at: offset, cachedOnly: false)
    }
}
