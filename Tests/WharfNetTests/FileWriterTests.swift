import Glibc
import TestSupport
import Testing
import WharfTesting
@testable import WharfNet

@Suite struct `A file writer` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writer(
        _ way: WayOfWriting, _ path: String, length: Int64? = nil, system: System? = nil
    ) throws -> (FileWriter, NamePlace) {
        let root = try RootedDirectory(path: folder.path, system: system ?? way.system())
        let place = try root.place(of: Array(path.utf8)).get()
        return (try FileWriter(in: place.folder, length: length), place)
    }

    @Test(arguments: WayOfWriting.allCases)
    func `a file has its name when it is complete, and not before`(_ way: WayOfWriting) throws {
        let (writer, place) = try writer(way, "a.txt", length: 6)
        try writer.write(Array("abc".utf8).span)
        try writer.write(Array("def".utf8).span)
        #expect(try folder.visibleNames() == [])
        let placed = try writer.place(at: place, replaces: false)
        #expect(placed.isNew)
        #expect(placed.status.size == 6)
        #expect(try folder.allNames() == ["a.txt"])
        #expect(try folder.text("a.txt") == "abcdef")
    }

    @Test(arguments: WayOfWriting.allCases)
    func `the descriptor of a placed file is closed once`(_ way: WayOfWriting) throws {
        let (writer, place) = try writer(way, "a.txt")
        try writer.write(Array("abc".utf8).span)
        _ = try writer.place(at: place, replaces: false)
        // Its number belongs to one of these now.
        let others = (0..<16).map { _ in unsafe open("/dev/null", O_RDONLY) }
        #expect(writer.temporaryPath == nil)
        writer.discard()
        #expect(others.allSatisfy { fcntl($0, F_GETFD) >= 0 })
        for descriptor in others { close(descriptor) }
    }

    @Test(arguments: WayOfWriting.allCases)
    func `a file is replaced whole`(_ way: WayOfWriting) throws {
        try folder.write("old", to: "a.txt")
        let (writer, place) = try writer(way, "a.txt")
        try writer.write(Array("new and longer".utf8).span)
        #expect(try folder.text("a.txt") == "old")
        #expect(try !writer.place(at: place, replaces: true).isNew)
        #expect(try folder.text("a.txt") == "new and longer")
        #expect(try folder.allNames() == ["a.txt"])
    }

    @Test(arguments: WayOfWriting.allCases)
    func `what is there stays when it is not to be replaced`(_ way: WayOfWriting) throws {
        try folder.write("old", to: "a.txt")
        let (writer, place) = try writer(way, "a.txt")
        try writer.write(Array("new".utf8).span)
        #expect(throws: Errno.exists) { try writer.place(at: place, replaces: false) }
        writer.discard()
        #expect(try folder.text("a.txt") == "old")
        #expect(try folder.allNames() == ["a.txt"])
    }

    /// Whoever looked before it was made has seen nothing; the file system has to refuse.
    @Test(arguments: WayOfWriting.allCases)
    func `a file that appears in the last moment is not replaced`(_ way: WayOfWriting) throws {
        let system = SurprisedSystem(way, folder)
        let (writer, place) = try writer(way, "a.txt", system: system)
        #expect(throws: Errno.exists) { try writer.place(at: place, replaces: false) }
        writer.discard()
        #expect(try folder.text("a.txt") == "surprise")
        #expect(try folder.allNames() == ["a.txt"])
    }

    @Test(arguments: WayOfWriting.allCases)
    func `a file that appears in the last moment is replaced if that is wanted`(
        _ way: WayOfWriting
    ) throws {
        let system = SurprisedSystem(way, folder)
        let (writer, place) = try writer(way, "a.txt", system: system)
        try writer.write(Array("new".utf8).span)
        _ = try writer.place(at: place, replaces: true)
        #expect(try folder.text("a.txt") == "new")
        #expect(try folder.allNames() == ["a.txt"])
    }

    @Test(arguments: WayOfWriting.allCases)
    func `nothing is left of a file that is given up`(_ way: WayOfWriting) throws {
        do {
            let (writer, _) = try writer(way, "a.txt", length: 1_000_000)
            try writer.write(Array("abc".utf8).span)
        }
        #expect(try folder.allNames() == [])
    }

    @Test(arguments: WayOfWriting.allCases, [2, 4] as [Int64])
    func `a file of another length than was announced is not placed`(
        _ way: WayOfWriting, _ length: Int64
    ) throws {
        let (writer, place) = try writer(way, "a.txt", length: length)
        #expect(throws: Errno.truncated) {
            try writer.write(Array("abc".utf8).span)
            _ = try writer.place(at: place, replaces: true)
        }
        writer.discard()
        #expect(try folder.allNames() == [])
    }

    @Test(arguments: WayOfWriting.allCases)
    func `nobody else may read it before, and as the umask has it afterwards`(
        _ way: WayOfWriting
    ) throws {
        let (writer, place) = try writer(way, "a.txt")
        // What has no name has no other way to it than this process's.
        for name in try folder.allNames() {
            #expect(try folder.permissions(ofPath: folder.path + "/" + name) == 0o600)
        }
        #expect(try folder.allNames().count == (way == .named ? 1 : 0))
        let placed = try writer.place(at: place, replaces: true)
        let expected = 0o666 & ~ProcessSettings.creationMask
        #expect(placed.status.permissions == expected)
        #expect(try folder.permissions(ofPath: folder.path + "/a.txt") == expected)
    }

    @Test func `room is reserved for what is missing`() throws {
        let system = ReservingSystem(poller: nil)
        let root = try RootedDirectory(path: folder.path, system: system)
        let (writer, name) = try root.holdPart(in: [])
        try writer.write([UInt8](repeating: 1, count: 1 << 20).span)
        writer.suspend()
        let resumed = try root.resumePart(name, in: [])
        try resumed.reserve(3 << 20)
        try resumed.reserve(1 << 19)
        #expect(system.ranges.withLock(\.self) == [1 << 20..<3 << 20])
        resumed.discard()
    }

    @Test(arguments: WayOfWriting.allCases)
    func `it has the permissions of the file that it replaces`(_ way: WayOfWriting) throws {
        try folder.write("old", to: "a.txt")
        try #require(unsafe chmod(folder.path + "/a.txt", 0o640) == 0)
        let (writer, place) = try writer(way, "a.txt")
        #expect(try writer.place(at: place, replaces: true).status.permissions == 0o640)
    }

    @Test(arguments: WayOfWriting.allCases)
    func `a symbolic link is replaced, and what it leads to is left`(_ way: WayOfWriting) throws {
        try folder.write("target", to: "b.txt")
        try folder.link("a.txt", to: "b.txt")
        let (writer, place) = try writer(way, "a.txt")
        try writer.write(Array("new".utf8).span)
        _ = try writer.place(at: place, replaces: true)
        #expect(try folder.text("a.txt") == "new")
        #expect(try folder.text("b.txt") == "target")
    }

    @Test(arguments: WayOfWriting.allCases)
    func `folders and pipes are not replaced`(_ way: WayOfWriting) throws {
        try folder.makeFolder("sub")
        try #require(unsafe mkfifo(folder.path + "/pipe", 0o600) == 0)
        for (name, error) in [("sub", Errno.isDirectory), ("pipe", .accessDenied)] {
            let (writer, place) = try writer(way, name)
            #expect(throws: error) { try writer.place(at: place, replaces: true) }
        }
        #expect(try folder.allNames() == ["pipe", "sub"])
    }

    @Test(arguments: WayOfWriting.allCases)
    func `it can be placed in another folder`(_ way: WayOfWriting) throws {
        try folder.makeFolder("sub")
        let root = try RootedDirectory(path: folder.path, system: way.system())
        let writer = try FileWriter(in: try root.folder([]).get())
        try writer.write(Array("abc".utf8).span)
        let place = try root.place(of: Array("sub/a.txt".utf8)).get()
        #expect(try writer.place(at: place, replaces: false).isNew)
        #expect(try folder.text("sub/a.txt") == "abc")
        #expect(try folder.allNames() == ["sub"])
    }

    @Test(arguments: WayOfWriting.allCases)
    func `it is copied into a folder of another file system`(_ way: WayOfWriting) throws {
        let plan = FaultPlan(way == .unnamed ? .link : .rename, number: 1, .error(.crossDevice))
        let system = ForwardingSystem(FaultingSystem(try way.system(), plan: plan))
        let (writer, place) = try writer(way, "a.txt", length: 600_000, system: system)
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try writer.write(bytes.span)
        #expect(try writer.place(at: place, replaces: false).isNew)
        #expect(plan.struckCount == 1)
        #expect(try folder.bytes("a.txt") == bytes)
        #expect(try folder.allNames() == ["a.txt"])
    }
}
