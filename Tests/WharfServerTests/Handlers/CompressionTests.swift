import TestSupport
import Testing
@testable import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A compressed answer` {
    private static let text = String(repeating: "Hello, compressed world! ", count: 100)
    private static let long = String(repeating: "Hello, compressed world! ", count: 10_000)

    static func inflated(_ bytes: [UInt8], _ format: CompressionFormat) throws -> String {
        var inflater = try Inflater(format, totalMax: 1 << 24)
        var output: [UInt8] = []
        var start = 0
        while !inflater.isFinished {
            let step = try inflater.inflate(bytes.span.extracting(start..<bytes.count), to: &output)
            start += step.consumed
            if step.consumed == 0, step.produced == 0 { throw CompressionError.malformed }
        }
        #expect(start == bytes.count)
        return String(decoding: output, as: UTF8.self)
    }

    private func withAnswers(_ body: (TestServer, WireClient) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.text, to: "page.html")
        try folder.write(Self.long, to: "long.txt")
        try folder.write(Self.text, to: "picture.png")
        try folder.write("short", to: "short.txt")
        try await withServer {
            $0.compression.fileByteCountMax = 1 << 20
        } routes: { router in
            router.mount("/files", try! DirectoryHandler(folder: folder.path))
            router.get("/text") { _ in .text(Self.text) }
            router.group("/open", AllowCompression()) { group in
                group.get("/text") { _ in .text(Self.text) }
                group.get("/long") { _ in .text(Self.long) }
                group.get("/not") { _ in .text(Self.text).compressed(false) }
                group.get("/short") { _ in .text("short") }
                group.get("/error") { _ in throw HTTPError(.notFound) }
                group.get("/kept") { _ in
                    var response = Response.text(Self.text)
                    response.fields[.cacheControl] = "no-transform"
                    return response
                }
                group.get("/packed") { _ in
                    var response = Response.text(Self.text)
                    response.fields[.contentEncoding] = "br"
                    return response
                }
                group.get("/versions") { _ in
                    var response = Response.text(Self.text)
                    response.eTag = EntityTag("v1", isWeak: true)
                    response.fields[.vary] = "Origin, accept-encoding"
                    return response
                }
            }
        } _: { server in
            try await body(server, try await server.connect())
        }
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("identity", nil), ("gzip", "gzip"), ("x-gzip", "gzip"),
            ("deflate", "deflate"), ("gzip, deflate, br", "gzip"), ("*", "gzip"),
            ("gzip;q=0.5, deflate;q=0.8", "deflate"), ("gzip;q=0", nil), ("gzip;q=0, *", "deflate"),
            ("identity, gzip;q=0.5", nil), ("gzip;q=0.5, identity;q=0.4", "gzip"), ("br", nil),
            ("identity;q=0", "406"), ("*;q=0", "406"), ("identity;q=0, gzip", "gzip"),
            ("gzip;q=0.001", "gzip"), ("gzip;q=1.5", nil), ("GZIP", "gzip"),
            ("identity;q=0, gzip;q=0, deflate", "deflate"), ("*;q=0, identity", nil),
        ] as [(String?, String?)])
    func `is in the coding that its client wants`(
        _ accepted: String?, _ coding: String?
    ) async throws {
        try await withAnswers { _, client in
            let fields = accepted.map { ["Accept-Encoding: \($0)"] } ?? []
            for path in ["/files/page.html", "/files/long.txt", "/open/text", "/open/long"] {
                let response = try await client.exchange(request("GET \(path)", fields))
                let whole = path.contains("long") ? Self.long : Self.text
                guard coding != "406" else {
                    #expect(response.status == 406)
                    #expect(response["Vary"] == "Accept-Encoding, Accept")
                    continue
                }
                #expect(response["Vary"] == "Accept-Encoding", "\(path)")
                #expect(response.status == 200 && response["Content-Encoding"] == coding)
                switch coding {
                case "gzip"?: #expect(try Self.inflated(response.body, .gzip) == whole)
                case "deflate"?: #expect(try Self.inflated(response.body, .zlib) == whole)
                default: #expect(response.text == whole)
                }
                if coding != nil { #expect(response.body.count < whole.utf8.count / 10) }
                let head = try await client.exchange(request("HEAD \(path)", fields))
                #expect(head.linesWithoutDate == response.linesWithoutDate)
            }
        }
    }

    @Test(arguments: [
        "/text", "/open/not", "/open/short", "/open/kept", "/files/short.txt",
        "/files/picture.png",
    ])
    func `is one that may be, that becomes shorter, and that is long enough`(
        _ path: String
    ) async throws {
        try await withAnswers { _, client in
            let response = try await client.exchange(
                request("GET \(path)", ["Accept-Encoding: gzip"]))
            #expect(response["Content-Encoding"] == nil && response["Vary"] == nil)
            #expect(response["Content-Length"] == "\(response.body.count)")
            // What isn't chosen among variants is sent as it is.
            let forced = try await client.exchange(
                request("GET \(path)", ["Accept-Encoding: identity;q=0"]))
            #expect(forced.status == 200 && forced.body == response.body)
        }
    }

    @Test func `is never compressed twice, and errors are not`() async throws {
        try await withAnswers { _, client in
            let fields = ["Accept-Encoding: gzip"]
            let packed = try await client.exchange(request("GET /open/packed", fields))
            #expect(packed["Content-Encoding"] == "br" && packed.text == Self.text)
            let error = try await client.exchange(request("GET /open/error", fields))
            #expect(error.status == 404 && error["Content-Encoding"] == nil)
            let listing = try await client.exchange(request("GET /files/", fields))
            #expect(listing["Content-Encoding"] == "gzip")
            #expect(listing["Vary"] == "Accept, Accept-Encoding")
        }
    }

    @Test func `has a version of its own, and 304 for who has it`() async throws {
        try await withAnswers { _, client in
            let packed = ["Accept-Encoding: gzip"]
            let plain = try await client.exchange(request("GET /files/page.html"))
            let gzip = try await client.exchange(request("GET /files/page.html", packed))
            let tag = try #require(plain["ETag"])
            #expect(gzip["ETag"] == "\(tag.dropLast())-gzip\"")
            #expect(plain["Accept-Ranges"] == "bytes" && gzip["Accept-Ranges"] == "none")
            for (fields, known, status) in [
                (packed, gzip["ETag"], 304), (packed, plain["ETag"], 200),
                ([], plain["ETag"], 304), ([], gzip["ETag"], 200),
            ] {
                let fields = fields + ["If-None-Match: \(known ?? "")"]
                let response = try await client.exchange(request("GET /files/page.html", fields))
                #expect(response.status == status && response["Vary"] == "Accept-Encoding")
            }
            let weak = try await client.exchange(request("GET /open/versions", packed))
            #expect(weak["ETag"] == "W/\"v1\"" && weak["Content-Encoding"] == "gzip")
            #expect(weak["Vary"] == "Origin, accept-encoding")
        }
    }

    @Test func `has no parts, and a part isn't compressed`() async throws {
        try await withAnswers { _, client in
            let fields = ["Accept-Encoding: gzip", "Range: bytes=7-16"]
            let part = try await client.exchange(request("GET /files/page.html", fields))
            #expect(part.status == 206 && part.text == "compressed")
            #expect(part["Content-Encoding"] == nil && part["Vary"] == "Accept-Encoding")
        }
    }

    @Test func `may be turned off, or only for large files`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "a", count: 3000), to: "a.txt")
        for (isOn, countMax, isPacked) in [
            (false, 3000, false), (true, 2999, false), (true, 3000, true),
        ] {
            try await withServer {
                $0.compression.compressesFiles = isOn
                $0.compression.fileByteCountMax = Int64(countMax)
            } routes: {
                $0.mount("/", try! DirectoryHandler(folder: folder.path))
            } _: { server in
                let response = try await server.exchange(
                    request("GET /a.txt", ["Accept-Encoding: gzip"]))
                #expect((response["Content-Encoding"] == "gzip") == isPacked)
            }
        }
    }

    @Test func `reaches a client of 1.0`() async throws {
        try await withAnswers { _, client in
            let response = try await client.exchange(
                request("GET /open/long", ["Accept-Encoding: gzip"], version: "HTTP/1.0"))
            #expect(response["Transfer-Encoding"] == nil && response["Connection"] == "close")
            #expect(try Self.inflated(response.body, .gzip) == Self.long)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A compressed stream` {
    @Test func `arrives write by write`() async throws {
        let maySend = Signal()
        try await withServer { router in
            router.get("/") { _ in
                Response.eventStream(heartbeat: nil) { events in
                    try await events.send("first")
                    await maySend.wait()
                    try await events.send("second")
                }.compressed()
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /", ["Accept-Encoding: gzip"]))
            var received: [UInt8] = []
            var inflater = try Inflater(.gzip, totalMax: 1000)
            var output: [UInt8] = []
            while output.isEmpty {
                received += try await client.receive()
                output = try firstChunk(received, &inflater)
            }
            // It can be read while the stream goes on.
            #expect(output == Array("data: first\n\n".utf8))
            maySend.set()
            client.putBack(received)
            let response = try await client.response()
            #expect(response["Content-Encoding"] == "gzip")
            #expect(
                try `A compressed answer`.inflated(response.body, .gzip)
                    == "data: first\n\ndata: second\n\n")
        }
    }

    /// What the first chunk stands for; empty while it isn't there.
    private func firstChunk(_ received: [UInt8], _ inflater: inout Inflater) throws -> [UInt8] {
        let end = Array("\r\n\r\n".utf8)
        guard let headEnd = received.indices.first(where: { received[$0...].starts(with: end) })
        else { return [] }
        var decoder = ChunkedDecoder()
        let rest = received[(headEnd + 4)...]
        guard !rest.isEmpty else { return [] }
        var data: [UInt8] = []
        var left = rest
        while !left.isEmpty {
            let step = try decoder.decode(left.span)
            data +=
                left[
                    (left.startIndex + step.data.lowerBound)..<(left.startIndex
                        + step.data.upperBound)]
            left = left.dropFirst(step.consumed)
        }
        var output: [UInt8] = []
        _ = try inflater.inflate(data.span, to: &output)
        return output
    }

    @Test func `is whole even if it is empty, and never if it breaks`() async throws {
        try await withServer { router in
            router.get("/empty") { _ in
                Response.stream(contentType: "text/plain") { _ in }.compressed()
            }
            router.get("/short") { _ in
                Response.stream(contentType: "text/plain", length: 5) { writer in
                    try await writer.write("four")
                }.compressed()
            }
            router.get("/whole") { _ in
                Response.stream(contentType: "text/plain", length: 2048) { writer in
                    for _ in 0..<2 { try await writer.write(String(repeating: "a", count: 1024)) }
                }.compressed()
            }
        } _: { server in
            let client = try await server.connect()
            let fields = ["Accept-Encoding: gzip"]
            let empty = try await client.exchange(request("GET /empty", fields))
            #expect(try `A compressed answer`.inflated(empty.body, .gzip).isEmpty)
            let whole = try await client.exchange(request("GET /whole", fields))
            #expect(try `A compressed answer`.inflated(whole.body, .gzip).utf8.count == 2048)
            #expect(whole["Content-Length"] == nil)
            try await client.send(request("GET /short", fields))
            await #expect(throws: (any Error).self) { try await client.response() }
        }
    }
}
