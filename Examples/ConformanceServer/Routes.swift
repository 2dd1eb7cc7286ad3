import Wharf

/// Bytes of a body that is read into memory.
private let bodyMax = 10 * 1024 * 1024

/// The routes of the conformance server.
///
/// The extra ones, `/route-0/{id}` and so on, show what it costs to have many.
func conformanceRouter(extraRouteCount: Int) -> Router {
    let router = Router()
    addWebSockets(to: router)
    addBLIP(to: router)
    for number in 0..<extraRouteCount {
        router.get("/route-\(number)/{id}", .inline { _ in .text("Hello, World!") })
    }
    router.get("/", .inline { _ in .text("OK") })
    router.post("/", echo)
    router.on(nil, "/any", echo)
    router.get("/plaintext", .inline { _ in .text("Hello, World!") })
    router.get("/pool") { _ in .text("Hello, World!") }
    router.on(nil, "/echo") { request in
        // The body is read first, so that a broken one gets its 400.
        _ = try await request.body.collect(upTo: bodyMax)
        return .text(fieldLines(request))
    }
    router.on(nil, "/cookie") { request in
        .text(Cookies(request.fields).map { "\($0.name)=\($0.value)\n" }.joined())
    }
    router.on(nil, "/count", bodyMax: .max) { request in
        var count: Int64 = 0
        for try await piece in request.body { count += Int64(piece.count) }
        return .text("\(count)\n")
    }
    router.get("/sleep") { request in
        let milliseconds = try number("ms", of: request)
        try await Task.sleep(for: .milliseconds(milliseconds))
        return .text("slept \(milliseconds) ms\n")
    }
    router.get("/stream") { request in
        let count = try number("bytes", of: request)
        return .stream { writer in
            let block = [UInt8](repeating: UInt8(ascii: "w"), count: 16 * 1024)
            var left = count
            while left > 0 {
                let piece = min(left, Int64(block.count))
                try await writer.write(Array(block.prefix(Int(piece))))
                left -= piece
            }
        }
    }
    return router
}

/// Answers the body as it came.
///
/// It is read whole first, so that a broken one gets its 400.
@Sendable private func echo(_ request: Request) async throws -> Response {
    let body = try await request.body.collect(upTo: bodyMax)
    let type = request.fields[.contentType] ?? "application/octet-stream"
    return .bytes(body, contentType: type)
}

private func fieldLines(_ request: Request) -> String {
    request.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
}

/// A number of the query, or 400.
private func number(_ name: String, of request: Request) throws -> Int64 {
    for pair in (request.query ?? "").split(separator: "&") where pair.hasPrefix(name + "=") {
        if let number = Int64(pair.dropFirst(name.count + 1)), number >= 0 { return number }
    }
    throw HTTPError(.badRequest, reason: "no number \(name) in the query")
}
