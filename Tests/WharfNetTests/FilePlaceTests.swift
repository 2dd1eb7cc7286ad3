import TestSupport
import Testing
@testable import WharfNet

@Suite struct `The place of a path` {
    let folder: TemporaryFolder

    /// root/{a.txt, sub/, out -> .., inner -> sub}
    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("root")
        try folder.makeFolder("root/sub")
        try folder.write("a", to: "root/a.txt")
        try folder.link("root/out", to: "..")
        try folder.link("root/inner", to: "sub")
    }

    private let reserved = ".wharf-0123456789abcdef.part"

    @Test(
        arguments: [
            ("", .notPermitted), (".", .invalidArgument), ("..", .invalidArgument),
            ("sub/", .invalidArgument), ("sub/.", .invalidArgument), ("sub/..", .invalidArgument),
            ("/a.txt", .crossDevice), ("../a.txt", .crossDevice), ("sub/../b", .crossDevice),
            ("out/b", .crossDevice), ("missing/b", .notFound), ("a.txt/b", .notDirectory),
            (".wharf-0123456789abcdef.part", .accessDenied),
            ("sub/.WHARF-0123456789ABCDEF.PART", .accessDenied),
            (".wharf-0123456789abcdef.part/b", .notFound),
        ] as [(String, Errno)])
    func `is refused where nothing may be written`(_ path: String, _ error: Errno) throws {
        let root = try RootedDirectory(path: folder.path + "/root", system: .withoutLoop)
        #expect(throws: error) { try root.place(of: Array(path.utf8)).get() }
    }

    @Test(arguments: ["b", "a.txt", "sub/b", "inner/b", "sub", ".wharf", "sub//b", "...", "..b"])
    func `is found elsewhere`(_ path: String) throws {
        let root = try RootedDirectory(path: folder.path + "/root", system: .withoutLoop)
        let place = try root.place(of: Array(path.utf8)).get()
        #expect(place.name == path.split(separator: "/").last.map { Array($0.utf8) })
    }

    @Test(
        arguments: [
            (".wharf-0123456789abcdef.part", true), (".Wharf-0123456789ABCDEF.Part", true),
            (".wharf-0123456789abcdeg.part", false), (".wharf-0123456789abcde.part", false),
            (".wharf-0123456789abcdef0.part", false), ("wharf-0123456789abcdef.part", false),
            (".wharf-0123456789abcdef.parts", false), (".wharf-", false), ("", false),
        ])
    func `names of files that are being written are known`(_ name: String, _ isOne: Bool) {
        #expect(PartName.isReserved(Array(name.utf8)) == isOne)
        #expect(PartName.isReserved(PartName.random()))
    }

    @Test(arguments: PathKeeping.allCases)
    func `nobody can open what is being written`(_ keeping: PathKeeping) throws {
        try folder.write("secret", to: "root/\(reserved)")
        try folder.makeFolder("root/sub/\(reserved)")
        let root = try keeping.root(folder.path + "/root")
        for path in [reserved, "sub/\(reserved)", "sub/\(reserved)/a"] {
            #expect(throws: Errno.notFound) { try root.open(path, cachedOnly: false).get() }
        }
    }
}

@Suite struct `A sweep` {
    let folder: TemporaryFolder
    private let leftover = ".wharf-0123456789abcdef.part"

    init() throws { folder = try TemporaryFolder() }

    @Test func `removes what was left, in all folders, and nothing else`() throws {
        try folder.makeFolder("sub")
        try folder.makeFolder("sub/deep")
        for name in [leftover, "sub/\(leftover)", "sub/deep/\(leftover)", "a.txt", ".wharf-1.part"]
        {
            try folder.write("x", to: name)
        }
        // Of a copy, or of a folder that was being removed.
        try folder.makeFolder(".wharf-aaaaaaaaaaaaaaaa.part")
        try folder.write("x", to: ".wharf-aaaaaaaaaaaaaaaa.part/b.txt")
        let outside = try TemporaryFolder()
        try outside.write("x", to: leftover)
        try folder.link("out", to: outside.path)
        try folder.link(".wharf-bbbbbbbbbbbbbbbb.part", to: "a.txt")
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        #expect(root.sweep() == 4)
        #expect(
            try folder.allNames() == [
                ".wharf-1.part", ".wharf-bbbbbbbbbbbbbbbb.part", "a.txt", "out", "sub",
            ])
        #expect(try outside.allNames() == [leftover])
        #expect(root.sweep() == 0)
    }

    /// A lock belongs to the open file, so another object stands for another process.
    @Test func `leaves what is being written`() throws {
        let root = try RootedDirectory(path: folder.path, system: try NamingSystem())
        let writer = try FileWriter(in: try root.folder([]).get())
        let other = try RootedDirectory(path: folder.path, system: .withoutLoop)
        #expect(other.sweep() == 0)
        #expect(try folder.allNames().count == 1)
        let place = try root.place(of: Array("a.txt".utf8)).get()
        _ = try writer.place(at: place, replaces: false)
        #expect(try folder.allNames() == ["a.txt"])
    }

    @Test func `leaves what is being copied`() throws {
        try folder.makeFolder("sub")
        try folder.write("x", to: "sub/a.txt")
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        let target = try root.place(of: Array("copy".utf8)).get()
        let copy = try root.copyAside(Array("sub".utf8), beside: target, isDeep: true)
        let other = try RootedDirectory(path: folder.path, system: .withoutLoop)
        #expect(other.sweep() == 0)
        #expect(try root.move(copy.place, to: target, replaces: false))
        #expect(try folder.text("copy/a.txt") == "x")
    }
}
