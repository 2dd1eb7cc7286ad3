import Testing
import WharfHTTP
import WharfServer

@Suite struct `An answer with a version` {
    private static let date = HTTPDate(unixSeconds: 784_111_777)

    private func with(_ body: (TestServer) async throws -> Void) async throws {
        try await withServer { router in
            let versioned: @Sendable (Request) -> Response = { _ in
                var response = Response.text("0123456789").cached(for: .seconds(60))
                response.eTag = EntityTag("v1")
                response.lastModified = Self.date
                response.fields[.vary] = "Accept-Language"
                response.fields[.contentLocation] = "/en"
                response.fields[.contentLanguage] = "en"
                response.fields[.init("X-Own") ?? .vary] = "kept"
                return response
            }
            router.get("/inline", .inline { versioned($0) })
            router.get("/pool") { versioned($0) }
            router.post("/inline") { versioned($0) }
            router.get(
                "/weak",
                .inline { _ in
                    var response = Response.bytes([1, 2, 3])
                    response.eTag = EntityTag("w", isWeak: true)
                    return response
                })
            router.get("/none", .inline { _ in .text("0123456789") })
            router.get(
                "/refuses",
                .inline { _ in
                    var response = Response.text("0123456789")
                    response.eTag = EntityTag("v1")
                    response.fields[.acceptRanges] = "none"
                    return response
                })
            router.get(
                "/allows",
                .inline { _ in
                    Response(fields: [.acceptRanges: "bytes"], body: .bytes([1, 2, 3]))
                })
            router.get("/stream", on: .loop) { _ in
                var response = Response.stream(length: 3) { try await $0.write("abc") }
                response.eTag = EntityTag("v1")
                return response
            }
            router.get(
                "/missing",
                .inline { _ in
                    var response = Response.text("no", status: .notFound)
                    response.eTag = EntityTag("v1")
                    return response
                })
        } _: { server in
            try await body(server)
        }
    }

    @Test(
        arguments: [
            (["If-None-Match: \"v1\""], 304), (["If-None-Match: \"x\", W/\"v1\""], 304),
            (["If-None-Match: *"], 304), (["If-None-Match: \"x\""], 200),
            (["If-Modified-Since: \(date)"], 304),
            (["If-None-Match: \"x\"", "If-Modified-Since: \(date)"], 200),
            (["If-Match: \"v1\""], 200), (["If-Match: \"x\""], 412),
            (["If-Match: \"x\"", "If-None-Match: \"v1\""], 412),
            (["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], 412),
            (["Range: bytes=0-1"], 206), (["Range: bytes=10-"], 416),
            (["Range: bytes=0-1", "If-Range: \"v1\""], 206),
            (["Range: bytes=0-1", "If-Range: \(date)"], 206),
            (["Range: bytes=0-1", "If-Range: \"x\""], 200),
            (["Range: bytes=0-1", "If-None-Match: \"v1\""], 304),
        ] as [([String], Int)], ["/inline", "/pool"])
    func `obeys conditions and ranges`(_ row: ([String], Int), _ target: String) async throws {
        try await with { server in
            let response = try await server.exchange(request("GET \(target)", row.0))
            #expect(response.status == row.1)
            let isSent = row.1 < 400
            #expect(response["ETag"] == (isSent ? "\"v1\"" : nil))
            let varied = isSent ? "Accept-Language" : "Accept-Language, Accept"
            #expect(response["Vary"] == varied)
            #expect(response["X-Own"] == "kept")
            #expect(response["Cache-Control"] == (isSent ? "max-age=60" : nil))
            #expect(response["Content-Location"] == (isSent ? "/en" : nil))
            #expect(response["Content-Language"] == (row.1 == 304 || !isSent ? nil : "en"))
            #expect(response["Date"] != nil)
            if row.1 == 206 { #expect(response.text == "01") }
            if row.1 == 304 { #expect(response["Content-Type"] == nil) }
            if row.1 == 416 { #expect(response["Content-Range"] == "bytes */10") }
            if row.1 == 412 { #expect(response.text == "412 Precondition Failed\n") }
        }
    }

    @Test(
        arguments: [
            ("HEAD", "/inline", ["Range: bytes=0-1"], 200),
            ("HEAD", "/inline", ["If-None-Match: \"v1\""], 304),
            ("POST", "/inline", ["If-None-Match: \"v1\"", "Content-Length: 0"], 200),
            ("POST", "/inline", ["If-Match: \"x\"", "Content-Length: 0"], 200),
            ("GET", "/weak", ["If-None-Match: W/\"w\""], 304),
            ("GET", "/weak", ["Range: bytes=0-0"], 206),
            ("GET", "/weak", ["Range: bytes=0-0", "If-Range: W/\"w\""], 200),
            ("GET", "/weak", ["If-Match: W/\"w\""], 412),
            ("GET", "/none", ["If-None-Match: *"], 200), ("GET", "/none", ["If-Match: \"x\""], 200),
            ("GET", "/none", ["Range: bytes=0-0"], 200),
            ("GET", "/refuses", ["Range: bytes=0-0"], 200),
            ("GET", "/refuses", ["If-None-Match: \"v1\""], 304),
            ("GET", "/allows", ["Range: bytes=0-0"], 206),
            ("GET", "/stream", ["Range: bytes=0-0"], 200),
            ("GET", "/stream", ["If-None-Match: \"v1\""], 304),
            ("GET", "/missing", ["If-None-Match: \"v1\""], 404),
        ] as [(String, String, [String], Int)])
    func `counts only where it makes sense`(
        _ row: (method: String, target: String, fields: [String], status: Int)
    ) async throws {
        try await with { server in
            let text = request("\(row.method) \(row.target)", row.fields)
            let response = try await server.exchange(text)
            #expect(response.status == row.status)
        }
    }

    @Test(
        arguments: [
            ("/inline", "bytes"), ("/weak", "bytes"), ("/none", nil), ("/refuses", "none"),
            ("/allows", "bytes"), ("/stream", nil),
        ] as [(String, String?)])
    func `says whether parts can be had`(_ target: String, _ expected: String?) async throws {
        try await with { server in
            let response = try await server.exchange(request("GET \(target)"))
            #expect(response["Accept-Ranges"] == expected)
            let head = try await server.exchange(request("HEAD \(target)"))
            #expect(head.linesWithoutDate == response.linesWithoutDate)
        }
    }

    @Test func `has parts with the type of the whole`() async throws {
        try await with { server in
            let response = try await server.exchange(
                request("GET /inline", ["Range: bytes=8-,0-1"]))
            let type = try #require(response["Content-Type"])
            let boundary = try #require(
                type.firstMatch(of: /^multipart\/byteranges; boundary=(.+)$/)?.1)
            #expect(
                response.text == """
                    --\(boundary)\r\nContent-Type: text/plain; charset=utf-8\r\n\
                    Content-Range: bytes 0-1/10\r\n\r\n01\r\n\
                    --\(boundary)\r\nContent-Type: text/plain; charset=utf-8\r\n\
                    Content-Range: bytes 8-9/10\r\n\r\n89\r\n--\(boundary)--\r\n
                    """)
        }
    }
}
