import Glibc
import Testing
@testable import WharfNet
import TestSupport

@Suite struct `A rooted directory` {
    let folder: TemporaryFolder

    /// outer/secret and outer/root/{a.txt, empty, sub/{b.txt, deep/c.txt}, links}
    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("root")
        try folder.makeFolder("root/sub")
        try folder.makeFolder("root/sub/deep")
        try folder.write("secret", to: "secret")
        try folder.write("aaa", to: "root/a.txt")
        try folder.write("", to: "root/empty")
        try folder.write("bbbb", to: "root/sub/b.txt")
        try folder.write("ccccc", to: "root/sub/deep/c.txt")
        try folder.link("root/inside", to: "sub/b.txt")
        try folder.link("root/sub/up", to: "../a.txt")
        try folder.link("root/inner", to: "sub")
        try folder.link("root/outside", to: "../secret")
        try folder.link("root/absolute", to: "/etc/passwd")
        try folder.link("root/outer", to: "..")
        try folder.link("root/loop", to: "loop2")
        try folder.link("root/loop2", to: "loop")
        try folder.link("root/dangling", to: "nothing")
        try folder.link("root/magic", to: "/proc/self/root/etc/passwd")
    }

    private func answer(_ path: String, _ keeping: PathKeeping) throws -> Answer {
        switch try keeping.root(folder.path + "/root").open(path, cachedOnly: false) {
        case .success(let opened): Answer(opened.status)
        case .failure(let error): .error(error)
        }
    }

    enum Answer: Equatable {
        case file(Int64)
        case folder
        case error(Errno)

        init(_ status: FileStatus) {
            self = status.kind == .folder ? .folder : .file(status.size)
        }
    }

    @Test(
        arguments: [
            ("", .folder), (".", .folder), ("a.txt", .file(3)), ("./a.txt", .file(3)),
            ("empty", .file(0)), ("sub", .folder), ("sub/", .folder), ("sub/.", .folder),
            ("sub/b.txt", .file(4)), ("sub//b.txt", .file(4)), ("sub/./deep/c.txt", .file(5)),
            ("nothing", .error(.notFound)), ("sub/nothing", .error(.notFound)),
            ("nothing/b.txt", .error(.notFound)), ("a.txt/", .error(.notDirectory)),
            ("a.txt/b", .error(.notDirectory)), ("A.TXT", .error(.notFound)),
            ("..", .error(.crossDevice)), ("../secret", .error(.crossDevice)),
            ("sub/../a.txt", .error(.crossDevice)), ("sub/../../secret", .error(.crossDevice)),
            ("../root/a.txt", .error(.crossDevice)), ("/", .error(.crossDevice)),
            ("/etc/passwd", .error(.crossDevice)), ("//etc/passwd", .error(.crossDevice)),
            ("...", .error(.notFound)), ("..a", .error(.notFound)),
            ("..\\secret", .error(.notFound)), ("%2e%2e/secret", .error(.notFound)),
            ("a.txt\0", .error(.invalidArgument)), ("\0", .error(.invalidArgument)),
            ("sub\0/../../secret", .error(.invalidArgument)),
            (String(repeating: "n", count: 255), .error(.notFound)),
            (String(repeating: "n", count: 256), .error(.nameTooLong)),
        ] as [(String, Answer)], PathKeeping.allCases)
    func `answers alike however the path is kept inside`(
        _ row: (path: String, expected: Answer), _ keeping: PathKeeping
    ) throws {
        #expect(try answer(row.path, keeping) == row.expected, "\(row.path.debugDescription)")
    }

    @Test(
        arguments: [
            ("inside", .file(4)), ("inner", .folder), ("inner/b.txt", .file(4)),
            ("inner/up", .file(3)), ("sub/up", .file(3)),
            ("outside", .error(.crossDevice)), ("outer", .error(.crossDevice)),
            ("outer/secret", .error(.crossDevice)), ("outer/root/a.txt", .error(.crossDevice)),
            ("absolute", .error(.crossDevice)), ("magic", .error(.crossDevice)),
            ("loop", .error(.symbolicLinkLoop)), ("dangling", .error(.notFound)),
        ] as [(String, Answer)])
    func `follows the links that stay inside`(_ path: String, _ expected: Answer) throws {
        #expect(try answer(path, .byTheKernel) == expected)
    }

    @Test(arguments: [
        "inside", "inner", "inner/b.txt", "inner/up", "sub/up", "outside", "outer", "outer/secret",
        "absolute", "magic", "loop", "dangling",
    ])
    func `refuses every link where it walks`(_ path: String) throws {
        let answer = try answer(path, .byWalking)
        #expect(
            answer == .error(.symbolicLinkLoop) || answer == .error(.notDirectory), "\(answer)")
    }

    @Test func `walks too where a sandbox forbids the call`() throws {
        let system = try WalkingSystem(refusal: .notPermitted)
        let root = try RootedDirectory(path: folder.path + "/root", system: system)
        #expect(try root.open("sub/b.txt", cachedOnly: false).get().status.size == 4)
    }

    @Test(arguments: PathKeeping.allCases)
    func `opens nothing but files and folders, and waits for none`(_ keeping: PathKeeping) throws {
        let fifo = folder.absolute(Array("root/fifo".utf8))
        try #require(unsafe mkfifo(fifo, 0o644) == 0)
        let address = SocketAddress.unix(path: folder.path + "/root/socket")
        let system = try System()
        let listener = Int32(try system.socket(for: address).get())
        defer { system.close(listener) }
        _ = try system.listen(listener, at: address, backlog: 1).get()
        let root = try keeping.root(folder.path + "/root")
        for name in ["fifo", "socket"] {
            #expect(throws: Errno.accessDenied) { try root.open(name, cachedOnly: false).get() }
        }
        #expect(throws: Errno.accessDenied) {
            try keeping.root("/dev").open("null", cachedOnly: false).get()
        }
    }

    @Test(arguments: PathKeeping.allCases)
    func `says when reading isn't allowed`(_ keeping: PathKeeping) throws {
        // Permissions don't bind root.
        guard geteuid() != 0 else { return }
        try #require(unsafe chmod(folder.absolute(Array("root/a.txt".utf8)), 0) == 0)
        #expect(try answer("a.txt", keeping) == .error(.accessDenied))
    }

    @Test(arguments: PathKeeping.allCases)
    func `opens names of any bytes`(_ keeping: PathKeeping) throws {
        let root = try keeping.root(folder.path + "/root")
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
            for name in [[byte, UInt8(ascii: "x")], [UInt8(ascii: "x"), byte]] {
                try folder.write([byte], to: Array("root/".utf8) + name)
                let opened = try root.open(name, cachedOnly: false).get()
                var read: UInt8 = 0
                let count = unsafe withUnsafeMutableBytes(of: &read) {
                    unsafe opened.handle.read(into: $0, at: 0, cachedOnly: false)
                }
                #expect(count == .success(1))
                #expect(read == byte)
            }
        }
    }

    @Test(arguments: PathKeeping.allCases)
    func `stays the folder that it was`(_ keeping: PathKeeping) throws {
        let root = try keeping.root(folder.path + "/root")
        let old = folder.absolute(Array("root".utf8))
        try #require(unsafe rename(old, folder.absolute(Array("moved".utf8))) == 0)
        try folder.makeFolder("root")
        try folder.write("another", to: "root/a.txt")
        #expect(try root.open("a.txt", cachedOnly: false).get().status.size == 3)
        #expect(throws: keeping == .byTheKernel ? Errno.crossDevice : .symbolicLinkLoop) {
            try root.open("outside", cachedOnly: false).get()
        }
    }

    @Test func `closes what it opened`() throws {
        let root = try PathKeeping.byWalking.root(folder.path + "/root")
        let before = try root.open("a.txt", cachedOnly: false).get().handle.descriptor
        for _ in 0..<100 {
            _ = root.open("sub/deep/c.txt", cachedOnly: false)
            _ = root.open("sub/deep/nothing", cachedOnly: false)
            _ = root.open("loop", cachedOnly: false)
        }
        let after = try root.open("a.txt", cachedOnly: false).get().handle.descriptor
        // Other tests open files meanwhile, but not three hundred.
        #expect(after < before + 200)
    }

    @Test(arguments: [("", Errno.notFound), ("nothing", .notFound), ("secret", .notDirectory)])
    func `needs a folder as its root`(_ path: String, _ expected: Errno) throws {
        #expect(throws: expected) {
            _ = try RootedDirectory(
                path: path.isEmpty ? "" : "\(folder.path)/\(path)", system: try System())
        }
    }

    @Test func `tells what is in memory from what isn't`() throws {
        let root = try PathKeeping.byTheKernel.root(folder.path + "/root")
        _ = try root.open("sub/b.txt", cachedOnly: false).get()
        #expect(try root.open("sub/b.txt", cachedOnly: true).get().status.size == 4)
        let walking = try PathKeeping.byWalking.root(folder.path + "/root")
        #expect(throws: Errno.wouldBlock) { try walking.open("a.txt", cachedOnly: true).get() }
    }

    @Test func `follows no link when it is told not to`() throws {
        try folder.link("root/to-file", to: "a.txt")
        try folder.makeFolder("root/real")
        try folder.write("abc", to: "root/real/b.txt")
        try folder.link("root/to-folder", to: "real")
        let strict = try RootedDirectory(
            path: folder.path + "/root", system: System(), followsLinks: false)
        for path in ["to-file", "to-folder/b.txt", "to-folder"] {
            #expect(throws: Errno.self) { try strict.open(path, cachedOnly: false).get() }
        }
        #expect(try strict.open("real/b.txt", cachedOnly: false).get().status.size == 3)
        let lenient = try RootedDirectory(path: folder.path + "/root", system: System())
        #expect(try lenient.open("to-folder/b.txt", cachedOnly: false).get().status.size == 3)
    }

    @Test func `tries again when a path changes under it`() throws {
        let system = try RacedSystem()
        let root = try RootedDirectory(path: folder.path + "/root", system: system)
        system.refusalCount = 5
        #expect(try root.open("a.txt", cachedOnly: false).get().status.size == 3)
        system.refusalCount = 5
        #expect(throws: Errno.wouldBlock) { try root.open("a.txt", cachedOnly: true).get() }
        system.refusalCount = .max
        #expect(throws: Errno.wouldBlock) { try root.open("a.txt", cachedOnly: false).get() }
    }

    @Test func `never reads a remote file system on a loop`() throws {
        let root = try RootedDirectory(path: folder.path + "/root", system: RemoteSystem())
        #expect(root.isSlow)
        _ = try root.open("a.txt", cachedOnly: false).get()
        #expect(throws: Errno.wouldBlock) { try root.open("a.txt", cachedOnly: true).get() }
        #expect(try !RootedDirectory(path: folder.path, system: System()).isSlow)
    }
}

/// Answers that something was renamed at the same time, some times.
private final class RacedSystem: System, @unchecked Sendable {
    var refusalCount = 0

    override func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        guard refusalCount == 0 else {
            refusalCount -= 1
            return .failure(.wouldBlock)
        }
        return super.openBeneath(directory, path, flags: flags, mode: mode, cachedOnly: cachedOnly)
    }
}

private final class RemoteSystem: System, @unchecked Sendable {
    override func isRemote(_ descriptor: Int32) -> Bool { true }
}
