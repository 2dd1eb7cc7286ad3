import TestSupport
import Testing
import WharfNet
import WharfServer

@testable import WharfCommand

@Suite struct `The command line about logins` {
    private static let hash = PasswordHash.pbkdf2("p", iterationCount: 1)

    private func serve(_ arguments: [String]) throws -> LoginOptions {
        guard case .serve(let options) = try Command(["serve"] + arguments) else {
            throw UsageError("not serve")
        }
        return options.login
    }

    @Test func `asks for none by default`() throws {
        let login = try serve([])
        #expect(!login.asksForLogin)
        #expect(try login.authentication() == nil)
    }

    @Test(
        arguments: [
            ("a:b", "a", "b", .writer), ("a:b:ro", "a", "b", .reader),
            ("a:b:c", "a", "b:c", .writer), ("a:b:c:ro", "a", "b:c", .reader),
            ("a::ro:ro", "a", ":ro", .reader), ("\u{FC}:\u{20AC}", "\u{FC}", "\u{20AC}", .writer),
        ] as [(String, String, String, AuthenticatedUser.Access)])
    func `takes users`(
        _ value: String, _ name: String, _ password: String, _ access: AuthenticatedUser.Access
    ) throws {
        let login = try serve(["--user", value, "--user=z:z"])
        #expect(
            login.users == [
                .init(name: name, password: password, access: access),
                .init(name: "z", password: "z", access: .writer),
            ])
        #expect(try login.authentication() != nil)
    }

    @Test(arguments: [
        ["--user", "a"], ["--user", ":b"], ["--user", "a:"], ["--user", "a:ro", "--auth=none"],
        ["--user", "a::ro"], ["--auth", "basic"], ["--public-read"], ["--user=a:b", "--realm="],
        ["--user=a:b", "--realm", "a\nb"],
    ])
    func `refuses what it can't understand`(_ arguments: [String]) {
        #expect(throws: UsageError.self) { try serve(arguments) }
    }

    @Test func `never repeats a password`() throws {
        let error = #expect(throws: UsageError.self) { try serve(["--user", "secret"]) }
        #expect(error?.reason.contains("secret") == false)
        let twice = try serve(["--user", "a:secret", "--user", "a:secret"])
        let failure = #expect(throws: Failure.self) { try twice.authentication() }
        #expect(failure?.reason == "--user a: the user is there already")
    }

    @Test func `takes a file of users`() throws {
        let folder = try TemporaryFolder()
        try folder.write("# users\na:\(Self.hash)\nb:\(Self.hash):ro\n", to: "users")
        let file = ["--user-file", folder.path + "/users"]
        #expect(try serve(file).authentication() != nil)
        #expect(try serve(file + ["--auth", "basic", "--public-read"]).authentication() != nil)
        // Digest needs a hash of its own.
        let digest = try serve(file + ["--auth", "digest"])
        let failure = #expect(throws: Failure.self) { try digest.authentication() }
        #expect(failure?.reason.hasPrefix("a has no hash for Digest") == true)
    }

    @Test func `says what is wrong with a file`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users"
        for (text, reason) in [
            ("a:\(Self.hash)\nb\n", "line 2: it is not NAME:HASH or NAME:HASH:ro"),
            ("a:p\n", "line 1: what follows the name is no hash of a password"),
        ] {
            try folder.write(text, to: "users")
            let login = try serve(["--user-file", path])
            let failure = #expect(throws: Failure.self) { try login.authentication() }
            #expect(failure?.reason == "can't use \(path): \(reason)")
        }
        try folder.write("# nobody\n", to: "users")
        #expect(throws: Failure.self) { try serve(["--user-file", path]).authentication() }
        #expect(throws: Failure.self) { try serve(["--user-file", path + "x"]).authentication() }
    }

    @Test(
        arguments: [
            ([.loopback(port: 1), .loopback6(port: 1), .unix(path: "/w")], false),
            ([.loopback(port: 1), .ipv4(0, port: 1)], true),
            ([.ipv4(0xC000_0201, port: 1)], true),
        ] as [([SocketAddress], Bool)])
    func `warns when passwords can be read`(_ addresses: [SocketAddress], isWarned: Bool) throws {
        let warning = Serve.warning(try serve(["--user", "a:b"]), addresses)
        #expect((warning != nil) == isWarned)
        #expect(warning?.contains("WARNING") != false)
        #expect(Serve.warning(try serve([]), addresses) == nil)
    }

    @Test func `makes lines for a file of users`() throws {
        guard
            case .hashPassword(let hashing) = try Command([
                "hash-password", "--realm", "r", "a", "--ro",
            ])
        else { throw UsageError("not hash-password") }
        let lines = hashing.lines(for: "p\u{20AC}")
        #expect(lines.count == 2)
        let list = try UserList(realm: "r", parsing: lines.joined())
        #expect(list.namesWithoutSecret().isEmpty && !list.isEmpty)
        #expect(lines.allSatisfy { $0.hasPrefix("a:$") && $0.hasSuffix(":ro\n") })
        let stored = lines[0].split(separator: ":")[1]
        #expect(PasswordHash(String(stored))?.matches("p\u{20AC}") == true)
        for wrong in [[], ["a", "b"], ["a:b"], [""], ["a", "--realm="], ["a", "--port=1"]] {
            #expect(throws: UsageError.self) { try Command(["hash-password"] + wrong) }
        }
    }
}
