import Foundation
import WharfHTTP
import WharfNet
import WharfTesting

@testable import WharfServer

extension HTTPField.Name {
    /// Names a request; its answer bears the same.
    static let exchange = HTTPField.Name("x-exchange")!
}

/// What both sides know: so many bytes that no other count begins with.
enum KnownBytes {
    static let countMax = 1_000_000
    private static let all: [UInt8] = {
        var random = SeededRandom(seed: 0)
        return random.bytes(countMax + 251)
    }()

    static func of(_ count: Int) -> ArraySlice<UInt8> {
        all[(count % 251)...].prefix(count)
    }

    /// Compares bytes: the `==` of arrays calls a function for each of them when not optimised.
    static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool { Data(left) == Data(right) }
}

/// Gives the answer the number of its request.
private struct Numbering: HTTPMiddleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        var response = try await next(request)
        if let number = request.fields[.exchange] { response.fields[.exchange] = number }
        return response
    }
}

/// The routes that simulated clients ask for: every kind of body, in every place.
func simulatedRouter(_ simulation: Simulation, files: RootedDirectory?) -> Router {
    let router = Router()
    router.get(
        "/inline",
        .inline { request in
            var response = Response.text("inline\n")
            if let number = request.fields[.exchange] { response.fields[.exchange] = number }
            return response
        })
    router.use(Numbering())
    router.get("/hello/{name}") { .text("hello \($0.parameters["name"] ?? "")\n") }
    router.get("/boom") { _ in throw Errno.invalidArgument }
    router.post("/echo") { .bytes(try await $0.body.collect(upTo: KnownBytes.countMax)) }
    router.post("/count", on: .loop) { request in
        var count = 0
        for try await piece in request.body { count += piece.count }
        return .text("\(count)\n")
    }
    router.post("/ignore", on: .loop) { _ in .text("ignored\n") }
    router.post("/relay") { request in
        .stream { writer in
            for try await piece in request.body { try await writer.write(piece) }
        }
    }
    router.get("/bytes/{count}", on: .loop) { .bytes(Array(KnownBytes.of(try count($0)))) }
    router.get("/stream/{count}") { stream(try count($0), length: nil) }
    router.get("/sized/{count}", on: .loop) { request in
        let count = try count(request)
        return stream(count, length: Int64(count))
    }
    router.get("/slow/{count}", on: .loop) { request in
        let loop = simulation.loops.first { $0.isCurrent } ?? simulation.loops[0]
        try await loop.sleep(until: loop.now + UInt64(try count(request)) * 1_000_000)
        return .text("slow\n")
    }
    router.get("/upgrade") { _ in
        .upgrade(to: "echo") { stream in
            while let bytes = try await stream.read() { try await stream.write(bytes) }
        }
    }
    if let files { router.mount("/file", DirectoryHandler(files)) }
    return router
}

@Sendable private func count(_ request: Request) throws -> Int {
    guard let text = request.parameters["count"], let count = Int(text),
        (0...KnownBytes.countMax).contains(count)
    else { throw HTTPError(.badRequest) }
    return count
}

@Sendable private func stream(_ count: Int, length: Int64?) -> Response {
    .stream(length: length) { writer in
        var rest = KnownBytes.of(count)
        while !rest.isEmpty {
            let piece = rest.prefix(1 + rest.count / 3)
            try await writer.write(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
    }
}
