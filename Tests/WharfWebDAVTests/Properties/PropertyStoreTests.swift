import Testing
import WharfStore

@testable import WharfWebDAV

/// What a store of properties does, wherever it keeps them.
@Suite struct `A store of properties` {
    enum Kind: CaseIterable { case memory, database }

    private func make(_ kind: Kind) throws -> any PropertyStore {
        switch kind {
        case .memory: MemoryPropertyStore()
        case .database: try StoredPropertyStore(Database(path: ":memory:"))
        }
    }

    private func property(_ name: String, _ value: String = "") -> DeadProperty {
        DeadProperty(name: XMLName(namespace: "u", name), markup: Array(value.utf8))
    }

    private func names(_ store: any PropertyStore, _ text: String) throws -> [String] {
        try store.properties(of: path(text)).map(\.name.local)
    }

    private func members(_ store: any PropertyStore, of path: ResourcePath) throws
        -> Set<ResourcePath>?
    {
        try store.properties(ofMembersOf: path, byteCountMax: 1000).map { Set($0.keys) }
    }

    @Test(arguments: Kind.allCases)
    func `sets, replaces and removes`(kind: Kind) throws {
        let store = try make(kind)
        #expect(try store.properties(of: path("a")) == [])
        try store.change(path("a"), set: [property("y", "1"), property("x")], remove: [])
        #expect(try names(store, "a") == ["x", "y"])
        try store.change(
            path("a"), set: [property("y", "2")],
            remove: [property("x").name, property("never").name])
        #expect(try store.properties(of: path("a")) == [property("y", "2")])
        try store.change(path(""), set: [property("r")], remove: [])
        #expect(try names(store, "") == ["r"])
    }

    @Test(arguments: Kind.allCases)
    func `knows the members of a folder`(kind: Kind) throws {
        let store = try make(kind)
        for text in ["", "a", "a/b", "a/c", "a/c/d", "ab"] {
            try store.change(path(text), set: [property("x"), property("y")], remove: [])
        }
        let members = try #require(
            try store.properties(ofMembersOf: path("a"), byteCountMax: 100))
        #expect(Set(members.keys) == [path("a/b"), path("a/c")])
        #expect(members[path("a/b")]?.map(\.name.local) == ["x", "y"])
        let top = try #require(try store.properties(ofMembersOf: .root, byteCountMax: 100))
        #expect(Set(top.keys) == [path("a"), path("ab")])
        #expect(try store.properties(ofMembersOf: path("a/b"), byteCountMax: 0) == [:])
    }

    @Test func `hands out no more of a folder than can be held`() throws {
        let store = try make(.database)
        for text in ["a/b", "a/c"] {
            try store.change(path(text), set: [property("x", "12345")], remove: [])
        }
        #expect(try store.properties(ofMembersOf: path("a"), byteCountMax: 10)?.count == 2)
        #expect(try store.properties(ofMembersOf: path("a"), byteCountMax: 9) == nil)
    }

    @Test(arguments: Kind.allCases)
    func `moves a tree`(kind: Kind) throws {
        let store = try make(kind)
        for text in ["a", "a/b", "a/b/c", "ab", "z/old", "z/old/below"] {
            try store.change(path(text), set: [property(text)], remove: [])
        }
        try store.move(path("a"), to: path("z/old"))
        #expect(try names(store, "a") == [] && names(store, "a/b/c") == [])
        #expect(try names(store, "z/old") == ["a"] && names(store, "z/old/b/c") == ["a/b/c"])
        #expect(try names(store, "z/old/below") == [])
        #expect(try names(store, "ab") == ["ab"])
        #expect(try members(store, of: path("z/old")) == [path("z/old/b")])
        #expect(try members(store, of: path("z")) == [path("z/old")])
        try store.move(path("z/old"), to: path("top"))
        #expect(try members(store, of: .root) == [path("ab"), path("top")])
    }

    @Test(arguments: Kind.allCases)
    func `copies a resource, with or without what is below`(kind: Kind) throws {
        let store = try make(kind)
        for text in ["a", "a/b", "c", "c/x"] {
            try store.change(path(text), set: [property(text)], remove: [])
        }
        try store.copy(path("a"), to: path("c"), isDeep: false)
        #expect(try names(store, "c") == ["a"] && names(store, "c/x") == [])
        #expect(try names(store, "c/b") == [])
        try store.copy(path("a"), to: path("d"), isDeep: true)
        #expect(try names(store, "d/b") == ["a/b"] && names(store, "a/b") == ["a/b"])
        #expect(try members(store, of: path("d")) == [path("d/b")])
    }

    @Test(arguments: Kind.allCases)
    func `forgets a tree`(kind: Kind) throws {
        let store = try make(kind)
        for text in ["a", "a/b", "a0", "a."] {
            try store.change(path(text), set: [property(text)], remove: [])
        }
        try store.remove(within: path("a"))
        #expect(try names(store, "a") == [] && names(store, "a/b") == [])
        #expect(try names(store, "a0") == ["a0"] && names(store, "a.") == ["a."])
        try store.remove(within: .root)
        #expect(try names(store, "a0") == [])
    }

    @Test func `keeps locks over a restart`() throws {
        let database = try Database(path: ":memory:")
        let kept = lock("a", deep: true, user: "eve", expiry: 50)
        do {
            let locks = try Locks(store: StoredLockStore(database), now: 0)
            guard case .granted = try locks.add(kept, at: 0) else { throw XMLError.tooMany }
            guard case .conflicts = try locks.add(lock("a/b"), at: 0) else {
                throw XMLError.tooMany
            }
            for text in ["c", "d", "e"] { _ = try locks.add(lock(text, expiry: 90), at: 0) }
            _ = try locks.refresh("t:a", timeout: 60, at: 10)
            try locks.remove("t:c")
            try locks.remove(within: path("d"))
        }
        let locks = try Locks(store: StoredLockStore(database), now: 60)
        var refreshed = kept
        (refreshed.timeout, refreshed.expiry) = (60, 70)
        #expect(locks.read { $0.lock("t:a", at: 60) } == refreshed)
        #expect(locks.read { $0.count } == 2)
        #expect(try Locks(store: StoredLockStore(database), now: 80).read { $0.count } == 1)
    }
}
