import TestSupport
import Testing
import WharfHTTP
@testable import WharfServer

@Suite struct `A list of users` {
    private static let hash = "$pbkdf2-sha256$i=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"
    private static let secret = "$digest-md5$3d78807defe7de2157e2b0b6573a855f"

    @Test func `is read from a text`() throws {
        let list = try UserList(
            realm: "r",
            parsing: """
                # Who may come in

                alice:\(Self.hash)
                bob:\(Self.hash):ro\r
                alice:\(Self.secret)
                J\u{FC}rgen Q.:\(Self.secret):ro
                """)
        #expect(list.entry("alice")?.user == AuthenticatedUser(name: "alice", access: .writer))
        #expect(list.entry("alice")?.passwordHash == PasswordHash(Self.hash))
        #expect(list.entry("alice")?.secrets[.md5] == DigestSecret(Self.secret))
        #expect(list.entry("bob")?.user.access == .reader)
        #expect(list.entry("J\u{FC}rgen Q.")?.user.access == .reader)
        #expect(list.entry("Alice") == nil && list.entry("") == nil)
        #expect(list.namesWithoutSecret(.md5) == ["bob"])
        #expect(list.namesWithoutSecret(.sha256).count == 3)
        #expect(try UserList(realm: "r", parsing: "").isEmpty)
    }

    @Test(
        arguments: [
            ("alice", .line), ("alice:\(hash):rw", .line), ("alice:\(hash):ro:", .line),
            (" # comment", .line), ("alice:", .hash), ("alice:secret", .hash), (":\(hash)", .name),
            ("alice: \(hash)", .hash), ("alice:\(hash) ", .hash), ("al\u{7}ice:\(hash)", .name),
            ("bob:\(hash)", .duplicate), ("bob:\(secret):ro", .access),
            ("alice\u{0}:\(hash)", .name),
        ] as [(String, UserListError.Kind)])
    func `says where it is wrong`(_ line: String, _ kind: UserListError.Kind) {
        #expect(throws: UserListError(kind, line: 3)) {
            try UserList(realm: "r", parsing: "# one\nbob:\(Self.hash)\n\(line)\ncarol:no hash\n")
        }
    }

    @Test func `is read from a file`() throws {
        let folder = try TemporaryFolder()
        try folder.write("bob:\(Self.hash):ro\n", to: "users")
        let list = try UserList(realm: "r", file: folder.path + "/users")
        #expect(list.entry("bob")?.user.access == .reader)
        try folder.write([0xFF], to: Array("broken".utf8))
        #expect(throws: UserListError(.file)) {
            try UserList(realm: "r", file: folder.path + "/broken")
        }
        try folder.write(
            [UInt8](repeating: UInt8(ascii: "#"), count: 1024 * 1024), to: Array("long".utf8))
        #expect(try UserList(realm: "r", file: folder.path + "/long").isEmpty)
        try folder.write(
            [UInt8](repeating: UInt8(ascii: "#"), count: 1024 * 1024 + 1), to: Array("long".utf8))
        #expect(throws: UserListError(.file)) {
            try UserList(realm: "r", file: folder.path + "/long")
        }
        #expect(throws: (any Error).self) {
            try UserList(realm: "r", file: folder.path + "/none")
        }
    }

    @Test func `keeps no password`() throws {
        var list = UserList(realm: "r")
        try list.add("alice", password: "swordfish")
        #expect(!"\(list)".contains("swordfish"))
        #expect(list.entry("alice")?.secrets.count == 2)
        #expect(throws: UserListError(.duplicate)) { try list.add("alice", password: "b") }
        #expect(throws: UserListError(.name)) { try list.add("a:b", password: "c") }
        #expect(throws: UserListError(.name)) { try list.add("", password: "c") }
    }

    @Test func `knows names that are hidden in a hash`() throws {
        var list = UserList(realm: "api@example.org")
        try list.add("J\u{E4}s\u{F8}n Doe", password: "Secret, or not?")
        // RFC 7616 §3.9.2 has this for SHA-512-256; this one is SHA-256's.
        let hashed = DigestAlgorithm.sha256.hexadecimal(
            of: Array("J\u{E4}s\u{F8}n Doe:api@example.org".utf8))
        #expect(list.name(hashed: hashed) == "J\u{E4}s\u{F8}n Doe")
        #expect(list.name(hashed: hashed.uppercased()) == "J\u{E4}s\u{F8}n Doe")
        #expect(list.name(hashed: "00") == "00")
    }

    @Test func `has a decoy as costly as its costliest hash`() throws {
        var list = UserList(realm: "r")
        #expect(list.decoy == nil)
        for (name, count) in [("a", 10), ("b", 30), ("c", 20)] {
            try list.add(name, hash: .pbkdf2("p", iterationCount: count))
        }
        #expect(list.decoy?.cost == 30)
        #expect(list.decoy?.matches("p") == false)
    }
}
