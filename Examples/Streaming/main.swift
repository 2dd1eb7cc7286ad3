// Answers that are made while they are sent: `Streaming [PORT]`, then `curl -N` /count.
import Wharf

let router = Router()

// A closure that writes. A client that reads slowly slows it down.
router.get("/count") { _ in
    .stream(contentType: "text/plain; charset=utf-8") { writer in
        for number in 1...5 { try await writer.write("\(number)\n") }
    }
}

// A sequence. With a length clients see how far they are.
router.get("/letters") { _ in
    let (letters, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    for letter in "abc".utf8 { continuation.yield([letter]) }
    continuation.finish()
    return .stream(contentType: "text/plain", length: 3, of: letters)
}

// The body of the request, as it comes in, and its size behind it for clients that keep trailers.
router.post("/echo", bodyMax: .max) { request in
    .stream { writer in
        var count = 0
        for try await piece in request.body {
            try await writer.write(piece)
            count += piece.count
        }
        if let name = HTTPField.Name("X-Byte-Count") {
            try await writer.setTrailers([name: "\(count)"])
        }
    }
}

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
