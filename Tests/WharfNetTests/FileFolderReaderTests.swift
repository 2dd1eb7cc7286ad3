import Glibc
import Testing
@testable import WharfNet
import TestSupport

@Suite struct `A folder reader` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func list(
        _ path: String, _ keeping: PathKeeping = .byTheKernel, entryCountMax: Int = 256
    ) throws -> [FolderEntry] {
        let root = try keeping.root(folder.path)
        let reader = try root.list(root.open(path, cachedOnly: false).get()).get()
        var entries: [FolderEntry] = []
        while true {
            let more = try reader.next(entryCountMax: entryCountMax).get()
            #expect(more.count <= entryCountMax)
            if more.isEmpty { break }
            entries += more
        }
        return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    @Test func `finds nothing in an empty folder`() throws {
        #expect(try list("").isEmpty)
    }

    @Test(arguments: PathKeeping.allCases)
    func `tells names, kinds and sizes`(_ keeping: PathKeeping) throws {
        try folder.makeFolder("sub")
        try folder.makeFolder("sub/.hidden")
        try folder.write("12345", to: "sub/file")
        try folder.write("x", to: "sub/other")
        let entries = try list("sub", keeping)
        #expect(
            entries.map { String(decoding: $0.name, as: UTF8.self) } == [
                ".hidden", "file", "other",
            ])
        #expect(entries.map(\.status.kind) == [.folder, .file, .file])
        #expect(entries.dropFirst().map(\.status.size) == [5, 1])
        #expect(entries.allSatisfy { $0.status.modificationSeconds > 1_700_000_000 })
    }

    @Test func `keeps names of any bytes`() throws {
        var names = Set<[UInt8]>()
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
            let name = [UInt8(ascii: "a"), byte]
            names.insert(name)
            try folder.write([], to: name)
        }
        names.insert(Array(repeating: 0xFF, count: 255))
        try folder.write([], to: Array(repeating: 0xFF, count: 255))
        #expect(Set(try list("").map(\.name)) == names)
    }

    @Test func `resolves the links that stay inside`() throws {
        try folder.makeFolder("sub")
        try folder.write("1234", to: "file")
        try folder.link("sub/up", to: "../file")
        try folder.link("sub/self", to: ".")
        try folder.link("sub/out", to: "../../..")
        try folder.link("sub/absolute", to: folder.path)
        try folder.link("sub/loop", to: "loop")
        try folder.link("sub/dangling", to: "nothing")
        let kinds = try list("sub").map {
            (String(decoding: $0.name, as: UTF8.self), $0.status.kind)
        }
        let expected: [String: FileStatus.Kind] = [
            "up": .file, "self": .folder, "out": .symbolicLink, "absolute": .symbolicLink,
            "loop": .symbolicLink, "dangling": .symbolicLink,
        ]
        #expect(Dictionary(uniqueKeysWithValues: kinds) == expected)
        #expect(try list("sub").last { $0.status.kind == .file }?.status.size == 4)
        #expect(try list("sub", .byWalking).allSatisfy { $0.status.kind == .symbolicLink })
    }

    @Test func `tells what can't be opened`() throws {
        try #require(unsafe mkfifo(folder.absolute(Array("fifo".utf8)), 0o644) == 0)
        #expect(try list("").map(\.status.kind) == [.other])
    }

    @Test func `lists ten thousand names in any portions`() throws {
        for index in 0..<10_000 { try folder.write("", to: "file \(index)") }
        for entryCountMax in [1, 256, 20_000] {
            let names = Set(try list("", entryCountMax: entryCountMax).map(\.name))
            #expect(names.count == 10_000)
        }
    }

    @Test func `reads the same folder twice at once`() throws {
        for index in 0..<600 { try folder.write("", to: "\(index)") }
        let root = try PathKeeping.byTheKernel.root(folder.path)
        let opened = try root.open("", cachedOnly: false).get()
        let first = try root.list(opened).get()
        let second = try root.list(opened).get()
        var counts = (0, 0)
        while true {
            let more = (try first.next().get().count, try second.next().get().count)
            counts = (counts.0 + more.0, counts.1 + more.1)
            if more == (0, 0) { break }
        }
        #expect(counts == (600, 600))
    }

    @Test func `leaves out what disappears`() throws {
        try folder.write("", to: "stays")
        try folder.write("", to: "goes")
        let system = try DisappearingSystem()
        let root = try RootedDirectory(path: folder.path, system: system)
        let reader = try root.list(root.open("", cachedOnly: false).get()).get()
        #expect(try reader.next().get().map(\.name) == [Array("stays".utf8)])
    }

    @Test func `fails where the disk fails`() throws {
        let root = try RootedDirectory(path: folder.path, system: FailingSystem())
        let reader = try root.list(root.open("", cachedOnly: false).get()).get()
        #expect(throws: Errno(EIO)) { try reader.next().get() }
    }

    @Test func `needs a folder`() throws {
        try folder.write("", to: "file")
        let root = try PathKeeping.byTheKernel.root(folder.path)
        let file = try root.open("file", cachedOnly: false).get()
        #expect(throws: Errno.notDirectory) { try root.list(file).get() }
    }
}

private final class DisappearingSystem: System, @unchecked Sendable {
    override func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool)
        -> Result<FileStatus, Errno>
    {
        if name == Array("goes".utf8) { return .failure(.notFound) }
        return super.status(directory, name, followsLink: followsLink)
    }
}

private final class FailingSystem: System, @unchecked Sendable {
    override func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno> {
        .failure(Errno(EIO))
    }
}
