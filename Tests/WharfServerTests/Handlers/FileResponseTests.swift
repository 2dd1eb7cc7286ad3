import TestSupport
import Testing
import WharfHTTP

@testable import WharfNet
@testable import WharfServer

@Suite struct `A file in a response` {
    private static let size = 23_893

    /// Asks for one file of 23,893 bytes, changed long ago.
    private func ask(
        method: String = "GET", _ fields: (RawResponse) -> [String: String]
    ) async throws -> RawResponse {
        var answer: RawResponse?
        try await ServedFolder.with { served in
            let bytes = (0..<Self.size).map { UInt8(truncatingIfNeeded: $0) }
            try served.folder.write(bytes, to: Array("file".utf8))
            try served.folder.setTime(of: "file", seconds: 1_000_000_000)
            answer = try await served.ask(
                "/file", method: method, fields(served.ask("/file")))
        }
        return try #require(answer)
    }

    @Test(
        arguments: [
            ("bytes=0-9", 0..<10), ("bytes=-10", 23_883..<23_893),
            ("bytes=23890-", 23_890..<23_893),
            ("bytes=23890-999999", 23_890..<23_893), ("bytes=-999999", 0..<23_893),
            ("bytes=0-99999999999999999999999999", 0..<23_893), ("BYTES=1-1", 1..<2),
            ("bytes=0-9,5-20", 0..<21), ("bytes=0-0, 1-1", 0..<2), ("bytes=9-9,99999-", 9..<10),
        ])
    func `has the part that is asked for`(_ range: String, _ expected: Range<Int>) async throws {
        let response = try await ask { _ in ["Range": range] }
        #expect(response.status == 206)
        #expect(
            response.fields["content-range"]
                == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/23893")
        #expect(response.body == expected.map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test(arguments: [
        "bytes=10-5", "lines=0-5", "bytes=abc", "bytes=", "bytes=0", "0-5",
        "bytes=" + (0..<17).map { "\($0 * 10)-\($0 * 10)" }.joined(separator: ","),
    ])
    func `is whole when the range makes no sense`(_ range: String) async throws {
        let response = try await ask { _ in ["Range": range] }
        #expect(response.status == 200)
        #expect(response.body.count == Self.size)
    }

    @Test(arguments: [
        "bytes=99999-", "bytes=-0", "bytes=23893-", "bytes=99999999999999999999999999-",
    ])
    func `says its length when nothing of the range is inside`(_ range: String) async throws {
        let response = try await ask { _ in ["Range": range] }
        #expect(response.status == 416)
        #expect(response.fields["content-range"] == "bytes */23893")
        #expect(response.fields["x-content-type-options"] == "nosniff")
    }

    @Test func `has several parts in one body`() async throws {
        let response = try await ask { _ in ["Range": "bytes=20-29,0-9"] }
        #expect(response.status == 206)
        #expect(response.fields["content-range"] == nil)
        let type = try #require(response.fields["content-type"])
        let boundary = try #require(type.firstMatch(of: /multipart\/byteranges; boundary=(.+)/)?.1)
        let parts = [0..<10, 20..<30].map { range in
            Array(
                """
                --\(boundary)\r\nContent-Type: application/octet-stream\r\n\
                Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/23893\r\n\r\n
                """.utf8) + range.map { UInt8($0) } + Array("\r\n".utf8)
        }
        #expect(response.body == parts[0] + parts[1] + Array("--\(boundary)--\r\n".utf8))
    }

    @Test func `ignores ranges for HEAD`() async throws {
        let response = try await ask(method: "HEAD") { _ in ["Range": "bytes=0-9"] }
        #expect(response.status == 200)
        #expect(response.fields["content-length"] == "23893")
    }

    @Test(
        arguments: [
            (["If-None-Match": "TAG"], 304), (["If-None-Match": "W/TAG, \"x\""], 304),
            (["If-None-Match": "*"], 304), (["If-None-Match": "\"x\""], 200),
            (["If-Modified-Since": "DATE"], 304),
            (["If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"], 304),
            (["If-Modified-Since": "Sat, 08 Sep 2001 00:00:00 GMT"], 200),
            (["If-Modified-Since": "yesterday"], 200),
            (["If-None-Match": "\"x\"", "If-Modified-Since": "DATE"], 200),
            (["If-Match": "TAG"], 200), (["If-Match": "*"], 200), (["If-Match": "\"x\""], 412),
            (["If-Match": "W/TAG"], 412), (["If-Unmodified-Since": "DATE"], 200),
            (["If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"], 412),
            (["If-Match": "\"x\"", "Range": "bytes=99999-"], 412),
            (["If-None-Match": "TAG", "Range": "bytes=99999-"], 304),
            (["If-Range": "TAG", "Range": "bytes=0-9"], 206),
            (["If-Range": "W/TAG", "Range": "bytes=0-9"], 200),
            (["If-Range": "\"x\"", "Range": "bytes=0-9"], 200),
            (["If-Range": "DATE", "Range": "bytes=0-9"], 206),
            (["If-Range": "Mon, 01 Jan 2001 00:00:00 GMT", "Range": "bytes=0-9"], 200),
            (["If-Range": "\"x\"", "Range": "bytes=99999-"], 200),
        ] as [([String: String], Int)], ["GET", "HEAD"])
    func `obeys conditions`(_ row: ([String: String], Int), _ method: String) async throws {
        let response = try await ask(method: method) { plain in
            row.0.mapValues { value in
                value.replacing("TAG", with: plain.fields["etag"] ?? "")
                    .replacing("DATE", with: plain.fields["last-modified"] ?? "")
            }
        }
        #expect(response.status == (method == "HEAD" && row.1 == 206 ? 200 : row.1))
        if row.1 == 304 {
            for name in ["etag", "date", "last-modified", "cache-control"] {
                #expect(response.fields[name] != nil, "\(name)")
            }
            #expect(response.fields["content-type"] == nil)
            #expect(response.fields["content-length"] == nil)
            #expect(response.body.isEmpty)
        }
    }

    @Test(arguments: [(-5, 206), (-2, 206), (-1, 200), (0, 200)])
    func `trusts no date that may still change`(_ age: Int, _ status: Int) throws {
        var response = Response.bytes(Array("text".utf8))
        response.lastModified = HTTPDate(unixSeconds: Int64(StoppedSystem.time + age))
        let date = try #require(response.fields[.lastModified])
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: "a", path: "/",
            headerFields: [.ifRange: date, .range: "bytes=0-0"])
        let settled = try response.settled(for: request, isSecure: false, CompressionPolicy()) {
            Int64(StoppedSystem.time)
        }
        #expect(settled.status.code == status)
    }

    @Test(arguments: [-5, 0, 5])
    func `sends no date to come`(_ age: Int) async throws {
        try await ServedFolder.with(system: StoppedSystem()) { served in
            try served.folder.write("text", to: "new")
            try served.folder.setTime(of: "new", seconds: StoppedSystem.time + age)
            let date = try #require(try await served.ask("/new").fields["last-modified"])
            #expect(date == "Sun, 09 Sep 2001 01:46:\(40 + min(age, 0)) GMT")
        }
    }
}

/// A clock that stands still.
private final class StoppedSystem: System, @unchecked Sendable {
    static let time = 1_000_000_000

    override func unixTime() -> Int64 { Int64(Self.time) }
}
