import Testing

@testable import WharfWebDAV

/// A path of text.
func path(_ text: String) -> ResourcePath { ResourcePath(bytes: Array(text.utf8)) }

/// A lock whose token is its path and a letter for what it is.
func lock(
    _ root: String, exclusive: Bool = true, deep: Bool = false, token: String? = nil,
    user: String? = nil, expiry: Int64 = 1000
) -> Lock {
    Lock(
        token: token ?? "t:\(root)", root: path(root), isFolder: deep, isExclusive: exclusive,
        isDeep: deep, owner: [], user: user, timeout: 100, expiry: expiry)
}

@Suite struct `A table of locks` {
    private func table(_ locks: Lock...) -> LockTable {
        var table = LockTable()
        for lock in locks { add(lock, to: &table, at: 0, isTaken: true) }
        return table
    }

    private func add(_ lock: Lock, to table: inout LockTable, at now: Int64, isTaken: Bool) {
        let answer = table.add(lock, at: now)
        #expect(answer == isTaken)
    }

    private func holder(_ tokens: String..., user: String? = nil) -> LockTable.Holder {
        LockTable.Holder(user: user, tokens: Set(tokens))
    }

    @Test(
        arguments: [
            ("a", false, ["a", "a/b", "a/b/c", "ab"], [true, false, false, false]),
            ("a", true, ["a", "a/b", "a/b/c", "ab"], [true, true, true, false]),
            ("", true, ["", "a", "a/b"], [true, true, true]),
            ("", false, ["", "a"], [true, false]),
        ] as [(String, Bool, [String], [Bool])])
    func `knows what a lock covers`(root: String, deep: Bool, paths: [String], covered: [Bool]) {
        let table = table(lock(root, deep: deep))
        #expect(paths.map { !table.covering(path($0), at: 0).isEmpty } == covered)
        #expect(paths.map { lock(root, deep: deep).covers(path($0)) } == covered)
    }

    @Test(arguments: [
        // The lock that there is, the one that is wanted, and whether it can be had.
        (lock("a"), lock("a", token: "new"), false),
        (lock("a", exclusive: false), lock("a", token: "new"), false),
        (lock("a"), lock("a", exclusive: false, token: "new"), false),
        (lock("a", exclusive: false), lock("a", exclusive: false, token: "new"), true),
        (lock("a", deep: true), lock("a/b"), false),
        (lock("a"), lock("a/b"), true),
        (lock("a/b"), lock("a", deep: true), false),
        (lock("a/b"), lock("a"), true),
        (lock("a/b", exclusive: false), lock("a", exclusive: false, deep: true), true),
        (lock("a/b", exclusive: false), lock("a", deep: true), false),
        (lock("ab"), lock("a", deep: true), true),
        (lock("a", expiry: 10), lock("a", token: "new"), true),
    ])
    func `knows which locks stand in the way`(old: Lock, new: Lock, isFree: Bool) {
        #expect(table(old).conflicts(with: new, at: 10).isEmpty == isFree)
    }

    @Test func `lets only the holder of a token write`() {
        let table = table(lock("a", user: "eve"))
        let target = LockTable.Target.resource(path("a"))
        #expect(table.blocking(target, holder("t:a", user: "eve"), at: 0) == [])
        #expect(table.blocking(target, holder(user: "eve"), at: 0).count == 1)
        #expect(table.blocking(target, holder("t:a", user: "bob"), at: 0).count == 1)
        #expect(table.blocking(target, holder("t:a"), at: 0).count == 1)
        #expect(table.blocking(.resource(path("b")), holder(), at: 0) == [])
    }

    @Test func `takes one token of several shared locks`() {
        let table = table(
            lock("a", exclusive: false, token: "1"), lock("a", exclusive: false, token: "2"))
        #expect(table.blocking(.resource(path("a")), holder("2"), at: 0) == [])
        #expect(table.blocking(.resource(path("a")), holder("3"), at: 0).count == 2)
    }

    @Test func `looks at all that lies below a tree`() {
        let table = table(lock("a/b"), lock("a/c/d"), lock("e"))
        #expect(
            table.blocking(.tree(path("a")), holder("t:a/b"), at: 0).map(\.token) == ["t:a/c/d"])
        #expect(table.blocking(.tree(path("a")), holder("t:a/b", "t:a/c/d"), at: 0) == [])
        #expect(table.blocking(.tree(path("")), holder(), at: 0).count == 3)
        #expect(table.blocking(.resource(path("a")), holder(), at: 0) == [])
    }

    @Test func `lets a deep token stand for what lies below`() {
        let table = table(lock("a", deep: true))
        #expect(table.blocking(.tree(path("a/b")), holder("t:a"), at: 0) == [])
        #expect(table.blocking(.tree(path("a/b")), holder(), at: 0).count == 1)
    }

    @Test func `forgets what has expired`() {
        var table = table(lock("a", expiry: 10))
        #expect(table.lock("t:a", at: 9) != nil)
        #expect(table.lock("t:a", at: 10) == nil)
        #expect(table.covering(path("a"), at: 10) == [])
        #expect(table.below(path(""), at: 10) == [])
        #expect(table.blocking(.tree(path("")), holder(), at: 10) == [])
        let (late, early) = (
            table.refresh("t:a", timeout: 5, at: 10), table.refresh("t:a", timeout: 5, at: 8)
        )
        #expect(late == nil && early?.expiry == 13)
        #expect(table.lock("t:a", at: 12)?.timeout == 5)
        #expect(table.lock("t:a", at: 13) == nil)
    }

    @Test func `is bounded, and makes room of what has expired`() {
        var table = LockTable(countMax: 2)
        add(lock("a", expiry: 5), to: &table, at: 0, isTaken: true)
        add(lock("b"), to: &table, at: 0, isTaken: true)
        add(lock("c"), to: &table, at: 4, isTaken: false)
        add(lock("c"), to: &table, at: 5, isTaken: true)
        #expect(table.count == 2)
    }

    @Test func `ends the locks of what is no more`() {
        var table = table(lock("a", deep: true), lock("ab"), lock("b/c"))
        let (first, second) = (table.remove(within: path("a")), table.remove(within: path("b")))
        #expect(first.map(\.token) == ["t:a"] && second.map(\.token) == ["t:b/c"])
        #expect(table.count == 1)
        table.remove("t:ab")
        table.remove("t:ab")
        #expect(table.count == 0 && table.covering(path("ab"), at: 0) == [])
    }

    @Test func `makes tokens that are UUIDs and never the same`() {
        let tokens = (0..<100).map { _ in LockToken.make() }
        #expect(Set(tokens).count == 100)
        for token in tokens {
            let parts = token.dropFirst(9).split(separator: "-")
            #expect(token.hasPrefix("urn:uuid:") && parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect(parts[2].first == "4" && "89ab".contains(parts[3].first ?? "-"))
        }
    }
}
