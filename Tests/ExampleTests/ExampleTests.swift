import Foundation
import TestSupport
import Testing
import WharfNet

/// The programs of `Examples/`, run as their readers would run them.
@Suite(.timeLimit(.minutes(1))) struct `The example` {
    @Test func `redirect leads to where things are now`() async throws {
        let code = try await RunningExample.run("Redirect") { example in
            for (path, status, location) in [
                ("/old", 308, "/new"), ("/old/a%20b", 307, "/new/a%20b"),
            ] {
                let response = try await example.ask("GET \(path)")
                #expect(response.status == status && response.fields["location"] == location)
            }
            #expect(try await example.ask("GET /new/a%20b").text == "You have found a b.\n")
            #expect(try await example.ask("POST /order", body: "a=b").status == 303)
        }
        #expect(code == 0)
    }

    @Test func `form remembers who signed`() async throws {
        let code = try await RunningExample.run("Form") { example in
            let type = ["Content-Type: application/x-www-form-urlencoded"]
            let signed = try await example.ask("POST /", type, body: "name=A+%26+%3Cb%3E")
            #expect(signed.status == 303 && signed.fields["location"] == "/")
            let cookie = try #require(signed.fields["set-cookie"]?.split(separator: ";").first)
            let page = try await example.ask("GET /", ["Cookie: \(cookie)"])
            #expect(page.text.contains("value=\"A &amp; &lt;b&gt;\""))
            #expect(page.text.contains("<p>You have signed."))
            #expect(try await example.ask("GET /").text.contains("value=\"\""))
            #expect(try await example.ask("POST /", type, body: "name=").status == 400)
        }
        #expect(code == 0)
    }

    @Test func `upload takes files, and shows them`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let code = try await RunningExample.run("Upload", [folder.path]) { example in
            #expect(try await example.ask("GET /").text.contains("type=\"file\""))
            let type = ["Content-Type: multipart/form-data; boundary=limit"]
            let file = "Content-Disposition: form-data; name=\"files\"; filename=\"a b.txt\""
            let body = "--limit\r\n\(file)\r\n\r\nhello\r\n--limit--\r\n"
            let sent = try await example.ask("POST /", type, body: body)
            #expect(sent.status == 303 && sent.fields["location"] == "/files/")
            #expect(try await example.ask("GET /files/").text.contains("a b.txt"))
            #expect(try await example.ask("GET /files/a%20b.txt").text == "hello")
            let none =
                "--limit\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n--limit--\r\n"
            #expect(try await example.ask("POST /", type, body: none).status == 400)
        }
        #expect(code == 0)
    }

    @Test func `resumable takes a file in two requests`() async throws {
        let folder = try TemporaryFolder()
        let code = try await RunningExample.run("Resumable", [folder.path]) { example in
            let begun = try await example.ask(
                "POST /",
                ["Tus-Resumable: 1.0.0", "Upload-Length: 6", "Upload-Metadata: filename YS50eHQ="])
            let location = try #require(begun.fields["location"])
            let path = "/" + location.split(separator: "/", maxSplits: 2)[2]
            for (offset, text) in [(0, "abc"), (3, "def")] {
                let answer = try await example.ask(
                    "PATCH \(path)",
                    [
                        "Tus-Resumable: 1.0.0", "Upload-Offset: \(offset)",
                        "Content-Type: application/offset+octet-stream",
                    ], body: text)
                #expect(answer.status == 204)
            }
            #expect(try await example.ask("GET /a.txt").text == "abcdef")
        }
        #expect(code == 0)
    }

    @Test func `template site fills in its pages, and its error page`() async throws {
        let code = try await RunningExample.run("TemplateSite") { example in
            let home = try await example.ask("GET /")
            #expect(home.text.contains("<li>&lt;Bobby&gt; &amp; tables\n"))
            let person = try await example.ask("GET /people/1")
            #expect(person.text.contains("<title>Grace</title>"))
            for path in ["/people/9", "/none"] {
                let none = try await example.ask("GET \(path)", ["Accept: text/html"])
                #expect(none.status == 404 && none.text.contains("Nobody by that name."))
            }
        }
        #expect(code == 0)
    }

    @Test func `streaming sends what it makes, and what it gets`() async throws {
        let code = try await RunningExample.run("Streaming") { example in
            let count = try await example.ask("GET /count")
            #expect(
                count.text
                    == "2\r\n1\n\r\n2\r\n2\n\r\n2\r\n3\n\r\n2\r\n4\n\r\n2\r\n5\n\r\n0\r\n\r\n")
            let letters = try await example.ask("GET /letters")
            #expect(letters.text == "abc" && letters.fields["content-length"] == "3")
            let echo = try await example.ask("POST /echo", ["TE: trailers"], body: "hello")
            #expect(echo.text == "5\r\nhello\r\n0\r\nX-Byte-Count: 5\r\n\r\n")
        }
        #expect(code == 0)
    }

    @Test func `events go on until somebody leaves, or it is told to end`() async throws {
        let code = try await RunningExample.run("Events") { example in
            #expect(try await example.ask("GET /").text.contains("new EventSource(\"/ticks\")"))
            // A client that has read one event leaves.
            let port = try #require("\(example.address)".split(separator: ":").last)
            let client = Process()
            let output = Pipe()
            client.executableURL = URL(fileURLWithPath: "/bin/bash")
            let request = #"GET /ticks HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 41\r\n\r\n"#
            client.arguments = [
                "-c",
                "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(request)' >&3; grep -m 1 ^data: <&3",
            ]
            client.standardOutput = output
            try client.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            client.waitUntilExit()
            #expect(String(decoding: data, as: UTF8.self) == "data: 42\n")
        }
        #expect(code == 0)
    }

    @Test func `bonjour serves on all addresses, found or not`() async throws {
        let code = try await RunningExample.run("Bonjour") { example in
            let text = try await example.ask("GET /").text
            #expect(text == "You have found me, 127.0.0.1.\n")
        }
        #expect(code == 0)
    }

    @Test func `login lets in who knows the password`() async throws {
        let code = try await RunningExample.run("Login") { example in
            #expect(try await example.ask("GET /").status == 200)
            #expect(try await example.ask("GET /private/").status == 401)
            let credentials = Data("ada:lovelace".utf8).base64EncodedString()
            let inside = try await example.ask(
                "GET /private/", ["Authorization: Basic \(credentials)"])
            #expect(inside.text == "Hello, ada!\n")
        }
        #expect(code == 0)
    }

    @Test func `a client sends a file, and tells of a refusal`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("content", to: "file")
        let code = try await RunningExample.run("Form") { example in
            let program = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("SendFile")
            for (path, code, text) in [("/missing", 1 as Int32, "404"), ("/", 1, "400")] {
                let process = Process()
                let output = Pipe()
                process.executableURL = program
                process.arguments = [
                    "http://127.0.0.1:\(example.address.port)\(path)", folder.path + "/file",
                ]
                process.standardOutput = output
                try process.run()
                let printed = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                #expect(process.terminationStatus == code)
                #expect(String(decoding: printed, as: UTF8.self).contains(text))
            }
        }
        #expect(code == 0)
    }

    /// What every example is: short enough to be read at once.
    @Test func `is shorter than fifty lines`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != "ConformanceServer" }
        #expect(names.count >= 7)
        for name in names {
            let file = folder.appending(path: "\(name)/main.swift")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.count { $0.isNewline } < 50, "\(name)")
        }
    }
}
