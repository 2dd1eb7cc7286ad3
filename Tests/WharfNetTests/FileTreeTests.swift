import Glibc
import TestSupport
import Testing
import WharfTesting
@testable import WharfNet

@Suite struct `A tree of files` {
    let folder: TemporaryFolder

    /// root/{a.txt, sub/{b.txt, deep/c.txt, up -> ../a.txt}, out -> .., pipe}, secret
    init() throws {
        folder = try TemporaryFolder()
        for name in ["root", "root/sub", "root/sub/deep"] { try folder.makeFolder(name) }
        try folder.write("secret", to: "secret")
        try folder.write("aaa", to: "root/a.txt")
        try folder.write("bbbb", to: "root/sub/b.txt")
        try folder.write("ccccc", to: "root/sub/deep/c.txt")
        try folder.link("root/sub/up", to: "../a.txt")
        try folder.link("root/sub/out", to: "../..")
        try #require(unsafe mkfifo(folder.path + "/root/sub/pipe", 0o600) == 0)
    }

    private func root(_ system: System = .withoutLoop) throws -> RootedDirectory {
        try RootedDirectory(path: folder.path + "/root", system: system)
    }

    private func place(_ path: String, _ root: RootedDirectory) throws -> NamePlace {
        try root.place(of: Array(path.utf8)).get()
    }

    private func exists(_ path: String) -> Bool {
        unsafe access(folder.path + "/" + path, F_OK) == 0
    }

    // MARK: Removing

    @Test func `is removed whole, and nothing that links lead to`() throws {
        try folder.write("x", to: "root/sub/.wharf-0123456789abcdef.part")
        let root = try root()
        #expect(root.removeTree(at: try place("sub", root)) == [])
        #expect(!exists("root/sub"))
        #expect(try folder.text("secret") == "secret")
        #expect(try folder.text("root/a.txt") == "aaa")
        let missing = root.removeTree(at: try place("sub", root))
        #expect(missing == [TreeFailure(path: [], error: .notFound)])
        #expect(root.removeTree(at: try place("a.txt", root)) == [])
        #expect(!exists("root/a.txt"))
    }

    @Test func `is left where it can't be removed, and that is told`() throws {
        let plan = FaultPlan()
        let root = try root(ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan)))
        let place = try place("sub", root)
        plan.arm(.remove, numbers: 1..<2, .error(.accessDenied))
        let failures = root.removeTree(at: place)
        #expect(failures.map(\.error) == [.accessDenied])
        let path = String(decoding: failures[0].path, as: UTF8.self)
        #expect(["b.txt", "deep/c.txt", "up", "out", "pipe"].contains(path))
        #expect(exists("root/sub"))
        #expect(root.removeTree(at: place) == [])
    }

    // MARK: Copying

    @Test func `is copied whole, and nothing from outside`() throws {
        let root = try root()
        let failures = root.copyTree(
            Array("sub".utf8), to: try place("copy", root), isDeep: true)
        #expect(failures.map { String(decoding: $0.path, as: UTF8.self) } == ["out"])
        #expect(failures.map(\.error) == [.crossDevice])
        #expect(try folder.text("root/copy/b.txt") == "bbbb")
        #expect(try folder.text("root/copy/deep/c.txt") == "ccccc")
        #expect(try folder.text("root/copy/up") == "aaa")
        #expect(!exists("root/copy/pipe") && !exists("root/copy/out"))
    }

    @Test func `is copied without what is in it`() throws {
        let root = try root()
        let target = try place("copy", root)
        #expect(root.copyTree(Array("sub".utf8), to: target, isDeep: false) == [])
        #expect(exists("root/copy") && !exists("root/copy/b.txt"))
        #expect(
            root.copyTree(Array("a.txt".utf8), to: target, isDeep: true)
                == [TreeFailure(path: [], error: .exists)])
    }

    @Test func `takes nothing's place unless all of it can be copied`() throws {
        try folder.makeFolder("root/kept")
        try folder.write("only copy", to: "root/kept/file")
        let root = try root()
        let target = try place("kept", root)
        // A link to a folder is left out.
        #expect(throws: Errno.self) {
            try root.copy(
                Array("sub".utf8), to: target, replaces: true, isDeep: true, needsAll: true)
        }
        #expect(try folder.text("root/kept/file") == "only copy")
        let outcome = try root.copy(Array("sub".utf8), to: target, replaces: true, isDeep: true)
        #expect(!outcome.isNew && !outcome.failures.isEmpty)
        #expect(!exists("root/kept/file"))
        #expect(try folder.text("root/kept/deep/c.txt") == "ccccc")
    }

    @Test func `that was put aside is no leftover`() throws {
        let aside = String(decoding: PartName.randomAside(), as: UTF8.self)
        try folder.write("only copy", to: "root/\(aside)")
        try folder.write("x", to: "root/.wharf-0123456789abcdef.part")
        let root = try root()
        #expect(root.sweep() == 1)
        #expect(exists("root/\(aside)"))
        #expect(PartName.isReserved(Array(aside.utf8)))
    }

    @Test func `is not copied into itself without end`() throws {
        let root = try root()
        let failures = root.copyTree(
            Array("sub".utf8), to: try place("sub/deep/copy", root), isDeep: true)
        #expect(failures.map(\.error).contains(.invalidArgument))
        #expect(!exists("root/sub/deep/copy/deep/copy"))
    }

    // MARK: Moving

    /// Two names of one file are what a volume looks like that takes both for one.
    @Test(arguments: [("A.txt", true), ("b.txt", false)])
    func `may be spelled in another way`(name: String, isSpelling: Bool) throws {
        let root = try root()
        let path = folder.path + "/root/"
        #expect(unsafe link(path + "a.txt", path + name) == 0)
        let (from, to) = (try place("a.txt", root), try place(name, root))
        if isSpelling {
            #expect(try root.move(from, to: to, replaces: false))
        } else {
            #expect(throws: Errno.exists) { try root.move(from, to: to, replaces: true) }
        }
        #expect(try folder.text("root/" + name) == "aaa")
    }

    @Test(arguments: [true, false])
    func `is moved, over nothing, a file or a folder`(_ replaces: Bool) throws {
        let root = try root()
        #expect(try root.move(place("sub", root), to: place("new", root), replaces: replaces))
        #expect(try folder.text("root/new/deep/c.txt") == "ccccc")
        #expect(!exists("root/sub"))
        try folder.makeFolder("root/other")
        try folder.write("x", to: "root/other/x")
        for (source, target) in [("a.txt", "other"), ("new", "a.txt")] {
            let (from, to) = (try place(source, root), try place(target, root))
            if replaces {
                if !exists("root/\(target)") { try folder.write("y", to: "root/\(target)") }
                #expect(try !root.move(from, to: to, replaces: true))
                #expect(!exists("root/\(source)"))
            } else {
                #expect(throws: Errno.exists) { try root.move(from, to: to, replaces: false) }
                #expect(exists("root/\(source)"))
            }
        }
        #expect(try folder.allNames() == ["root", "secret"])
    }

    @Test func `is there as before when it can't be moved`() throws {
        let root = try root()
        let (sub, deep) = (try place("sub", root), try place("sub/deep/x", root))
        #expect(throws: Errno.invalidArgument) { try root.move(sub, to: deep, replaces: true) }
        let missing = try place("missing", root)
        #expect(throws: Errno.notFound) { try root.move(missing, to: sub, replaces: true) }
        #expect(try folder.text("root/sub/b.txt") == "bbbb")
        // The second rename is the move itself: the folder that was put aside comes back.
        let plan = FaultPlan()
        let faulty = try self.root(
            ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan)))
        plan.arm(.rename, numbers: 2..<3, .error(.diskFull))
        let (from, to) = (try place("a.txt", faulty), try place("sub", faulty))
        #expect(throws: Errno.diskFull) { try faulty.move(from, to: to, replaces: true) }
        #expect(try folder.text("root/sub/b.txt") == "bbbb")
        #expect(try folder.text("root/a.txt") == "aaa")
    }

    @Test func `is made a folder at a time`() throws {
        let root = try root()
        try root.makeFolder(at: place("new", root)).get()
        #expect(exists("root/new"))
        #expect(throws: Errno.exists) { try root.makeFolder(at: place("new", root)).get() }
        #expect(throws: Errno.exists) { try root.makeFolder(at: place("a.txt", root)).get() }
    }

    @Test func `is gone through to a depth`() throws {
        var name = "root/x"
        for _ in 0..<300 {
            try folder.makeFolder(name)
            name += "/x"
        }
        let root = try root()
        let failures = root.removeTree(at: try place("x", root))
        #expect(failures.map(\.error) == [.nameTooLong])
        #expect(exists("root/x"))
    }
}
