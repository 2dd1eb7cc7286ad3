import TestSupport
import Testing
import WharfNet
import WharfServer

@testable import WharfWebDAV

/// What happens while a request is at work: its share's delegate is asked in the middle of it.
@Suite(.timeLimit(.minutes(1))) struct `While a request is at work` {
    /// Makes another request once, before it lets the first one go on.
    private final class Meanwhile: ShareDelegate {
        let action = Locked<(@Sendable () async throws -> Void)?>(nil)

        private func run() async throws -> Bool {
            let action = action.withLock { $0.take() }
            try await action?()
            return true
        }

        func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool {
            try await run()
        }
        func shouldMove(_ path: String, to newPath: String, for request: Request) async throws
            -> Bool
        { try await run() }
        func shouldCopy(_ path: String, to newPath: String, for request: Request) async throws
            -> Bool
        { try await run() }
        func shouldDelete(_ path: String, for request: Request) async throws -> Bool {
            try await run()
        }
        func shouldCreateFolder(_ path: String, for request: Request) async throws -> Bool {
            try await run()
        }
    }

    @Test(
        arguments: [
            ("PUT", "/f/a", "/f/a"), ("PUT", "/f/n", "/f"), ("PUT", "/f/n", "/f/n"),
            ("MKCOL", "/f/n", "/f"), ("DELETE", "/f/a", "/f/a"), ("DELETE", "/f", "/f/a"),
            ("DELETE", "/f/a", "/f"), ("MOVE", "/f", "/f/a"), ("MOVE", "/f/a", "/f"),
            ("MOVE", "/f", "/new"), ("COPY", "/f", "/new"), ("COPY", "/f/a", "/"),
            ("MOVE", "/f/a", "/"),
        ])
    func `somebody may take a lock that it has to keep to`(
        method: String, target: String, locked: String
    ) async throws {
        let delegate = Meanwhile()
        try await Drive.with(delegate: delegate) { drive in
            try drive.folder.makeFolder("f")
            try drive.folder.write("1", to: "f/a")
            let token = Locked("")
            delegate.action.withLock {
                $0 = {
                    let made = try await drive.lock(locked)
                    token.withLock { $0 = made }
                }
            }
            let fields = ["Destination": "/new"]
            #expect(try await drive.status(method, target, fields, body: "") == 423)
            let text = try drive.folder.text("f/a")
            #expect(text == "1")
            // Nothing is left, and the lock is there.
            let names = try drive.folder.allNames()
            #expect(!names.contains { $0.hasPrefix(".wharf") })
            let held = ["If": "<\(locked)> (<\(token.withLock(\.self))>)"]
            let again = try await drive.status(method, target, fields.merging(held) { $1 })
            #expect((200..<300).contains(again))
        }
    }

    @Test func `a lock of what is replaced ends with it`() async throws {
        try await Drive.with { drive in
            try drive.folder.write("1", to: "a")
            try drive.folder.write("2", to: "b")
            let token = try await drive.lock("/b")
            let fields = ["Destination": "/b", "If": "</b> (<\(token)>)"]
            #expect(try await drive.status("COPY", "/a", fields) == 204)
            #expect(try await drive.status("PUT", "/b", body: "3") == 204)
        }
    }
}
