import TestSupport
import Testing
import WharfHTTP
import WharfServer
import WharfTesting

@Suite(.timeLimit(.minutes(1))) struct `A transcript` {
    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    private static let get = "GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `is read in the order of its numbers`() throws {
        let folder = try folder([
            "010-GET.request": Self.get, "010-200.response": Self.answer,
            "2-MKCOL.request": "MKCOL", "2-405.response": "no", "notes.txt": "",
            "x-GET.request": "",
            "1-GET.request.bak": "",
        ])
        let exchanges = try Transcript(folder: folder.path).exchanges
        #expect(exchanges.map(\.number) == [2, 10])
        #expect(exchanges.map(\.method) == [.mkcol, .get])
        #expect(exchanges[1].response == Array(Self.answer.utf8))
    }

    @Test(arguments: [
        ["1-GET.request": ""], ["1-G T.request": "", "1-200.response": ""],
        ["1-GET.request": "", "1-200.response": "", "01-200.response": ""],
    ])
    func `is refused if something is missing or twice there`(_ files: [String: String]) throws {
        let folder = try folder(files)
        #expect(throws: Transcript.Failure.self) { try Transcript(folder: folder.path) }
        #expect(throws: Transcript.Failure.self) { try Transcript(folder: folder.path + "/none") }
    }

    private func differences(_ response: String, fields: HTTPFields = [:], body: String = "ok")
        async throws -> [String]
    {
        let folder = try folder(["1-GET.request": Self.get, "1-200.response": response])
        let router = Router()
        router.get("/", on: .loop) { _ in Response(fields: fields, body: .string(body)) }
        let client = TestClient(router)
        let found = try await Transcript(folder: folder.path).replay(over: client)
        return found.map(\.description)
    }

    @Test func `says where an answer differs`() async throws {
        #expect(try await differences(Self.answer) == [])
        let other = try await differences("HTTP/1.1 404 Not Found\r\n\r\n")
        #expect(other == ["001 status: 200, not 404"])
        let fields = try await differences(
            "HTTP/1.1 200 OK\nX-A: 1\nDate: then\nEtag: old\nServer: other\nConnection: Close\n\nok",
            fields: [.eTag: "\"new\""])
        #expect(fields == ["001 fields: no X-A, not 1"])
        let body = try await differences("HTTP/1.1 200 OK\r\n\r\nno")
        #expect(body == ["001 body: 2 bytes that differ from 2"])
        // It was cut, so it is compared as far as it goes.
        let cut = try await differences("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
        #expect(cut == [])
        let chunked =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        let chunks = try await differences(chunked + "\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n")
        #expect(chunks == ["001 fields: no Transfer-Encoding, not chunked"])
        await #expect(throws: Transcript.Failure.self) { try await differences("no answer") }
    }

    @Test func `compares the links of pages`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        let page = "<a href=\"a\">A</a> <a href=\"b/\">"
        let html: HTTPFields = [.contentType: "text/html"]
        let same = try await differences(
            head + page, fields: html, body: "<a class=x href=\"b/\"><a href=\"a\"><a href=\"../\">"
        )
        #expect(same == [])
        let less = try await differences(head + page, fields: html, body: "<a href=\"a\">")
        #expect(less.count == 1 && less[0].hasPrefix("001 body"))
        // Pages without links are compared as they are.
        #expect(try await differences(head + "<p>", fields: html, body: "<b>").count == 1)
    }

    @Test func `has its validators brought up to date`() async throws {
        let folder = try folder([
            "1-GET.request": Self.get,
            "1-200.response":
                "HTTP/1.1 200 OK\r\nETag: 1/2/3\r\nLast-Modified: Wed, 01 Jan 2014 00:00:00 GMT\r\n\r\nok",
            "2-GET.request": "GET / HTTP/1.1\r\nHost: localhost\r\nIF-none-match: 1/2/3\r\n\r\n",
            "2-304.response": "HTTP/1.1 304 Not Modified\r\n\r\n",
            "3-GET.request":
                "GET / HTTP/1.1\r\nHost: localhost\r\n"
                + "If-Modified-Since: Wed, 01 Jan 2014 00:00:00 GMT\r\n\r\n",
            "3-304.response": "HTTP/1.1 304 Not Modified\r\n\r\n",
            "4-GET.request": "GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: 9\r\n\r\n",
            "4-200.response": "HTTP/1.1 200 OK\r\n\r\nok",
        ])
        let router = Router()
        router.get("/", on: .loop) { _ in
            var response = Response.text("ok")
            response.fields[.eTag] = "\"now\""
            response.fields[.lastModified] = "Sat, 01 Jan 2000 00:00:00 GMT"
            return response
        }
        let client = TestClient(router)
        let found = try await Transcript(folder: folder.path).replay(over: client)
        #expect(found.filter { $0.level == .status } == [])
    }
}
