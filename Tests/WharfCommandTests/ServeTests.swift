import Foundation
import TestSupport
import Testing
import WharfNet

/// The built program, run as people run it.
@Suite struct `The program` {
    /// What a finished run has left.
    private struct Outcome {
        var code: Int32
        var output: String
        var errors: String
    }

    /// It is built beside the tests.
    private let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("wharf")

    /// Runs the program; when it has printed a line, calls the closure, if any, with it and the
    /// process's number, and sends SIGTERM.
    ///
    /// With `redirections` a shell starts it.
    private func run(
        _ arguments: [String], input: String = "", redirections: String? = nil,
        during: ((String, Int32) async throws -> Void)? = nil
    ) async throws -> Outcome {
        let process = Process()
        let (output, errors, given) = (Pipe(), Pipe(), Pipe())
        given.fileHandleForWriting.write(Data(input.utf8))
        try given.fileHandleForWriting.close()
        process.standardInput = given
        process.executableURL = program
        process.arguments = arguments
        if let redirections {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                ["-c", "exec \"$0\" \"$@\" \(redirections)", program.path] + arguments
        }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        var printed = Data()
        while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
            printed += more
            guard let during, printed.last == 10 else { continue }
            try await during(
                String(decoding: printed, as: UTF8.self), process.processIdentifier)
            process.terminate()
        }
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
            errors: String(
                decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }

    @Test func `serves a folder until it is told to end`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("content", to: "file")
        let socket = folder.path + "/socket"
        let outcome = try await run(["serve", folder.path, "--bind", "unix:\(socket)"]) { line, _ in
            #expect(line == "Serving \(folder.path) at unix:\(socket)\n")
            let response = try await RawClient.exchange(
                "GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                with: .unix(path: socket))
            #expect(response.text == "content")
        }
        #expect(outcome.code == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func `picks a port, and logs requests when it is told to`() async throws {
        let folder = try TemporaryFolder()
        let arguments = [
            "serve", folder.path, "--port", "0", "--bind", "127.0.0.1", "--access-log",
        ]
        let outcome = try await run(arguments) { line, _ in
            let port = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\//)?.1)
            let response = try await RawClient.exchange(
                "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                with: .loopback(port: try #require(UInt16(port))))
            #expect(response.status == 404)
        }
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("GET /none 404"))
    }

    @Test func `asks for a login when it knows users`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("content", to: "file")
        let hashed = try await run(["hash-password", "bob", "--ro"], input: "swordfish\nmore")
        #expect(hashed.code == 0 && hashed.output.hasPrefix("bob:$pbkdf2-sha256$"))
        try folder.write(hashed.output, to: "users")
        let socket = folder.path + "/socket"
        let arguments = [
            "serve", folder.path, "--bind", "unix:\(socket)", "--user", "u:p",
            "--user-file", folder.path + "/users",
        ]
        let outcome = try await run(arguments) { _, _ in
            for (fields, status) in [
                ("", 401), ("Authorization: Basic dTpw\r\n", 200),
                ("Authorization: Basic Ym9iOnN3b3JkZmlzaA==\r\n", 200),
                ("Authorization: Basic Ym9iOnA=\r\n", 401),
            ] {
                let response = try await RawClient.exchange(
                    "GET /file HTTP/1.1\r\nHost: localhost\r\n\(fields)Connection: close\r\n\r\n",
                    with: .unix(path: socket))
                #expect(response.status == status)
            }
        }
        #expect(outcome.code == 0)
        #expect(!outcome.errors.contains("WARNING") && !outcome.errors.contains("swordfish"))
    }

    @Test(.timeLimit(.minutes(1))) func `reads its users again on SIGHUP, if it can`() async throws
    {
        let folder = try TemporaryFolder()
        var users: [String] = []
        for password in ["old", "new"] {
            let hashed = try await run(["hash-password", "bob"], input: password + "\n")
            users.append(hashed.output)
        }
        try folder.write(users[0], to: "users")
        let socket = folder.path + "/socket"
        let arguments = [
            "serve", folder.path, "--bind", "unix:\(socket)", "--user-file", folder.path + "/users",
        ]
        func status(_ credentials: String) async throws -> Int {
            let fields = "Host: localhost\r\nAuthorization: Basic \(credentials)"
            return try await RawClient.exchange(
                "GET / HTTP/1.1\r\n\(fields)\r\nConnection: close\r\n\r\n",
                with: .unix(path: socket)
            ).status
        }
        let (old, new) = ("Ym9iOm9sZA==", "Ym9iOm5ldw==")
        let outcome = try await run(arguments) { _, process in
            #expect(try await status(old) == 200)
            try folder.write(users[1], to: "users")
            kill(process, SIGHUP)
            while try await status(old) == 200 {}
            #expect(try await status(new) == 200)
            try folder.write("bob:nothing", to: "users")
            kill(process, SIGHUP)
            #expect(try await status(new) == 200)
        }
        #expect(outcome.code == 0)
    }

    @Test func `says what is wrong with a certificate`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.weakIdentity, to: "weak.pem")
        let path = folder.path + "/weak.pem"
        let outcome = try await run(["serve", folder.path, "--port", "0", "--tls-cert", path])
        #expect(outcome.code == 1)
        let start = "wharf: can't use \(path): the identity can't be used: "
        #expect(outcome.errors.hasPrefix(start) && outcome.errors.contains("too small"))
    }

    /// It can be read, but its key has no more than 112 bits.
    private static let weakIdentity = """
        -----BEGIN CERTIFICATE-----
        MIIBMzCB/qADAgECAhRsUEnJyeliH8N1KhnGhC7jZ1qaUDAKBggqhkjOPQQDAjAU
        MRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjYxMjAxMTEwMzM3WhgPMjEyNjExMDcx
        MTAzMzdaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDAyMBAGByqGSM49AgEGBSuBBAAG
        Ax4ABI4dYQp1aHAo4glkCI3EcErFinWL9H3JozF9W1SjUzBRMB0GA1UdDgQWBBSw
        GgK7oMTx4x2J+N26EyQOGYReZjAfBgNVHSMEGDAWgBSwGgK7oMTx4x2J+N26EyQO
        GYReZjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCAyQAMCECDm4qwymK79Pe
        +65FANQpAg8A0dKluwBxb0N3QosJkmQ=
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        ME4CAQAwEAYHKoZIzj0CAQYFK4EEAAYENzA1AgEBBA6GJ6m0tiUmRAUyZyLBqaEg
        Ax4ABI4dYQp1aHAo4glkCI3EcErFinWL9H3JozF9W1Q=
        -----END PRIVATE KEY-----

        """

    @Test(.timeLimit(.minutes(1))) func `goes on, and ends, when nobody reads its errors`()
        async throws
    {
        let folder = try TemporaryFolder()
        let socket = folder.path + "/socket"
        let target = "/none?" + String(repeating: "x", count: 1900)
        let requests = String(
            repeating: "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 200)
        let last = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let arguments = ["serve", folder.path, "--bind", "unix:\(socket)", "--access-log"]
        // Its errors are read when it has ended: 64 KiB fill the pipe, and these lines are more.
        let outcome = try await run(arguments) { _, _ in
            _ = try await RawClient.exchange(requests + last, with: .unix(path: socket))
            #expect(
                try await RawClient.exchange(last, with: .unix(path: socket)).status == 200)
        }
        #expect(outcome.code == 0)
        #expect(outcome.errors.utf8.count > 32_768)
    }

    @Test func `opens what is closed of its standard streams`() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["serve", folder.path, "--bind", "unix:\(folder.path)/socket"]
        let outcome = try await run(arguments, redirections: "0<&- 2>&-") { _, process in
            for descriptor in [0, 2] {
                let path = "/proc/\(process)/fd/\(descriptor)"
                let place = try FileManager.default.destinationOfSymbolicLink(atPath: path)
                #expect(place == "/dev/null")
            }
        }
        #expect(outcome.code == 0)
    }

    @Test(
        arguments: [
            (["hash-password", "bob"], 1), (["hash-password"], 2), (["serve", "--user", "a"], 2),
            (["serve", "--user-file", "/nothing/here"], 1), (["serve", "--auth", "basic"], 2),
            (["help"], 0), (["--help"], 0), (["--version"], 0), ([], 2), (["serve", "--what"], 2),
            (["serve", "/nothing/here"], 1), (["serve", "--bind", "192.0.2.1"], 1),
        ] as [([String], Int32)])
    func `has an exit code for each ending`(_ arguments: [String], _ code: Int32) async throws {
        let outcome = try await run(arguments)
        #expect(outcome.code == code)
        #expect(outcome.output.isEmpty == (code != 0))
        #expect(outcome.errors.isEmpty == (code == 0))
        if code == 1 { #expect(outcome.errors.split(separator: "\n").count == 1) }
    }
}
