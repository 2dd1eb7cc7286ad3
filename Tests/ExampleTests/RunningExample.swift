import Foundation
import TestSupport
import WharfNet

/// A program of `Examples/` while it runs.
struct RunningExample {
    let address: SocketAddress

    /// Starts a program on a port that the system picks, and ends it with SIGTERM afterwards.
    ///
    /// Answers its exit code.
    static func run(
        _ name: String, _ arguments: [String] = [], _ body: (RunningExample) async throws -> Void
    ) async throws -> Int32 {
        let process = Process()
        let output = Pipe()
        // They print their address; to a pipe that would wait for the end.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent(name)
        process.arguments = ["-oL", program.path, "0"] + arguments
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        do {
            guard let port = line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.1,
                let number = UInt16(port)
            else { throw CocoaError(.fileReadUnknown, userInfo: ["line": line]) }
            try await body(RunningExample(address: .loopback(port: number)))
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Sends a request on a connection of its own.
    func ask(_ line: String, _ fields: [String] = [], body: String = "") async throws
        -> RawResponse
    {
        let head = ["\(line) HTTP/1.1", "Host: localhost", "Connection: close"] + fields
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let text = (head + length).map { $0 + "\r\n" }.joined() + "\r\n" + body
        return try await RawClient.exchange(text, with: address)
    }
}
