import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

/// What a protocol such as WebDAV does with a share, without the protocol.
@Suite(.timeLimit(.minutes(1))) struct `A change in a share` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        try folder.write("aaa", to: "a.txt")
        try folder.write("bbb", to: "sub/b.txt")
    }

    /// Answers what a change says, of a request that has the fields.
    private func answer(
        _ fields: [String] = [], delegate: (any ShareDelegate)? = nil, isWritable: Bool = true,
        _ change: @escaping @Sendable (Share, Request) async throws -> String
    ) async throws -> WireResponse {
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        let share = Share(root, isWritable: isWritable, delegate: delegate)
        return try await withServer { router in
            router.post("/", on: .loop) { .text(try await change(share, $0)) }
        } _: {
            try await $0.exchange(request("POST /", fields))
        }
    }

    private static func bytes(_ path: String) -> [UInt8] { Array(path.utf8) }

    @Test(
        arguments: [
            ("new", 200), ("sub/new", 200), ("sub", 405), ("a.txt", 405), ("none/new", 409),
            ("a.txt/new", 409), ("", 403), ("../new", 409),
        ])
    func `makes folders`(_ path: String, _ status: Int) async throws {
        let answer = try await answer { share, request in
            try await share.makeFolder(Self.bytes(path), for: request)
            return ""
        }
        #expect(answer.status == status)
    }

    @Test(arguments: [("a.txt", 200), ("sub", 200), ("none", 404), ("", 403), ("none/a", 409)])
    func `removes`(_ path: String, _ status: Int) async throws {
        let answer = try await answer { share, request in
            "\(try await share.remove(Self.bytes(path), for: request).count)"
        }
        #expect(answer.status == status)
        if status == 200 { #expect(answer.text == "0") }
    }

    @Test(
        arguments: [
            ("a.txt", "new", true, 200), ("sub", "new", true, 200), ("a.txt", "sub", false, 412),
            ("a.txt", "sub", true, 200), ("sub", "a.txt", true, 200), ("a.txt", "a.txt", true, 403),
            ("sub", "sub/x", true, 403), ("sub/b.txt", "sub", true, 403),
            ("none", "new", true, 404), ("a.txt", "none/new", true, 409), ("", "new", true, 403),
            ("sub", "", true, 403), ("a.txt", "../out", true, 409),
        ])
    func `moves and copies`(
        _ path: String, _ newPath: String, _ replaces: Bool, _ status: Int
    ) async throws {
        for isMove in [true, false] {
            let test = try Self()
            let answer = try await test.answer { share, request in
                let (from, to) = (Self.bytes(path), Self.bytes(newPath))
                if isMove {
                    return "\(try await share.move(from, to: to, replaces: replaces, for: request))"
                }
                let outcome = try await share.copy(
                    from, to: to, replaces: replaces, isDeep: true, for: request)
                #expect(outcome.failures == [])
                return "\(outcome.isNew)"
            }
            #expect(answer.status == status, "\(isMove ? "move" : "copy")")
            let root = try RootedDirectory(path: test.folder.path, system: .withoutLoop)
            let isThere = (try? root.open(path, cachedOnly: false).get()) != nil
            #expect(isThere == (path != "none" && (status != 200 || !isMove)))
            if status == 200 { #expect(answer.text == (newPath == "new" ? "true" : "false")) }
        }
    }

    @Test func `keeps to conditions, the delegate and what may be written`() async throws {
        struct Refusing: ShareDelegate {
            func shouldDelete(_ path: String, for request: Request) async throws -> Bool {
                path != "a.txt"
            }
        }
        let remove: @Sendable (Share, Request) async throws -> String = { share, request in
            "\(try await share.remove(Array("a.txt".utf8), for: request).count)"
        }
        #expect(try await answer(["If-Match: \"other\""], remove).status == 412)
        #expect(try await answer([], delegate: Refusing(), remove).status == 403)
        #expect(try await answer([], isWritable: false, remove).status == 403)
        #expect(try await answer([], remove).status == 200)
    }
}
