/// A response as a client saw it, read by rules of its own and not by the server's code.
struct WireResponse: Sendable {
    /// The head's lines without their ends; the first is the status line.
    let lines: [String]
    var body: [UInt8] = []

    init(head: [UInt8]) throws {
        lines = String(decoding: head, as: UTF8.self).components(by: "\r\n")
        guard lines[0].hasPrefix("HTTP/1.1 "), lines[0].utf8.count >= 13 else {
            throw WireClient.Failure.malformed(lines[0])
        }
    }

    var status: Int { Int(lines[0].split(separator: " ")[1]) ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The field lines, for comparing; Date changes from second to second.
    var linesWithoutDate: [String] { lines.filter { !$0.hasPrefix("Date: ") } }

    /// The value of a field, `nil` when it is missing; two lines of a name are joined with `|`.
    subscript(name: String) -> String? {
        let wanted = name.lowercased() + ":"
        let values = lines.dropFirst().filter { $0.lowercased().hasPrefix(wanted) }
            .map { $0.dropFirst(wanted.count).drop { $0 == " " } }
        return values.isEmpty ? nil : values.joined(separator: "|")
    }
}

extension WireClient {
    /// Reads one response to a request with that method; an interim one (1xx) counts as one.
    func response(to method: String = "GET") async throws -> WireResponse {
        var received: [UInt8] = []
        var searchStart = 0
        while true {
            if let end = received.endOfHead(from: searchStart) {
                var response = try WireResponse(head: Array(received[..<(end - 4)]))
                putBack(received[end...])
                response.body = try await body(of: response, method)
                return response
            }
            searchStart = max(0, received.count - 3)
            let more = try await receive()
            guard !more.isEmpty else { throw Failure.cut(received) }
            received += more
        }
    }

    /// Sends a request and reads the response.
    func exchange(_ request: String) async throws -> WireResponse {
        try await send(request)
        return try await response(to: String(request.prefix { $0 != " " }))
    }

    private func body(of response: WireResponse, _ method: String) async throws -> [UInt8] {
        let status = response.status
        if method == "HEAD" || status < 200 || status == 204 || status == 304 { return [] }
        if response["Transfer-Encoding"] == "chunked" { return try await chunkedBody() }
        guard let length = response["Content-Length"] else { return try await receiveToEnd() }
        guard let count = Int(length) else { throw Failure.malformed("length \(length)") }
        return try await receive(count: count)
    }

    private func chunkedBody() async throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = try await line(after: body)
            guard let count = Int(size, radix: 16) else { throw Failure.malformed(size) }
            do {
                body += try await receive(count: count)
            } catch Failure.cut(let part) {
                throw Failure.cut(body + part)
            }
            guard try await line(after: body).isEmpty else { throw Failure.malformed("no CRLF") }
            if count == 0 { return body }
        }
    }

    private func line(after body: [UInt8]) async throws -> String {
        var line: [UInt8] = []
        while true {
            let more = try await receive()
            guard !more.isEmpty else { throw Failure.cut(body) }
            line += more
            for index in line.indices.dropFirst() where line[index - 1] == 13 && line[index] == 10 {
                putBack(line[(index + 1)...])
                return String(decoding: line[..<(index - 1)], as: UTF8.self)
            }
        }
    }
}

extension [UInt8] {
    /// Where the empty line after a head ends, in bytes from `start` on.
    fileprivate func endOfHead(from start: Int) -> Int? {
        guard count >= start + 4 else { return nil }
        return (start...(count - 4)).first { self[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
            .map { $0 + 4 }
    }
}

extension String {
    /// The parts between a separator, which `Character`s would hide inside CRLF.
    fileprivate func components(by separator: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        let end = Array(separator.utf8)
        for byte in utf8 {
            part.append(byte)
            if part.suffix(end.count).elementsEqual(end) {
                parts.append(String(decoding: part.dropLast(end.count), as: UTF8.self))
                part = []
            }
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }
}
