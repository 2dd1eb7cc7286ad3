import Wharf

// What the articles of Wharf.docc show and no example has: it is compiled, so that it stays right.

struct Order: Codable, Sendable {
    var item: String
    var count: Int
}

func addAnsweringRoutes(to router: Router, words: String) {
    router.post("/orders") { request in
        let order = try await request.json(Order.self, upTo: 64 * 1024)
        guard order.count > 0 else { throw HTTPError(.badRequest, reason: "no count") }
        return try .json(order, status: .created)
    }
    router.post("/notes") { request in
        let note = try await request.text(upTo: 10_000)
        return .text("\(note.count) characters\n")
    }
    router.get("/words") { _ in .text(words).compressed() }
    router.get("/secret") { _ in .text(words).compressed(false) }
}

func sessionCookies(token: String) throws -> [SetCookie] {
    let session = try SetCookie("__Host-session", token, maxAge: .seconds(86_400), isSecure: true)
    let goodbye = try SetCookie.forgetting("__Host-session")
    return [session, goodbye]
}

func compressedConfiguration() -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration(port: 0)
    configuration.decompression = DecompressionPolicy()
    configuration.compression.byteCountMin = 256
    configuration.compression.compressesFiles = false
    return configuration
}
