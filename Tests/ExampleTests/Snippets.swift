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

func addReceivingRoutes(to router: Router) {
    router.put("/count", bodyMax: 1 << 30) { request in
        var count = 0
        for try await piece in request.body { count += piece.count }
        return .text("\(count) bytes\n")
    }
    router.put("/photos/{name}", bodyMax: 1 << 30) { request in
        let name = try request.parameters.require("name")
        let saved = try await request.body.save(into: "/srv/photos", named: name)
        return .text("\(saved.name)\n", status: .created)
    }
    router.post("/album", bodyMax: 1 << 30) { request in
        let form = try await request.form()
        let title = form["title"] ?? "Untitled"
        for file in form.files { try await file.move(into: "/srv/photos", ifTaken: .number) }
        return .text("\(form.files.count) photos of \(title)\n")
    }
    router.post("/stream", bodyMax: .max) { request in
        for try await part in try request.multipartParts() {
            guard let name = part.head.fileName else { continue }
            try await part.save(into: "/srv/photos", named: name)
        }
        return .text("stored\n")
    }
}

func mountFolders(on router: Router) throws {
    var options = Share.Options()
    options.uploadMax = 1 << 30
    let share = try Share(folder: "/srv/photos", isWritable: true, options: options)
    router.mount("/photos", DirectoryHandler(share))
}

func addLogins(to router: Router) throws {
    var users = try UserList(realm: "Library", file: "/etc/library/users")
    try users.add("guest", password: "guest", access: .reader)
    var options = Authentication.Options()
    options.isReadingPublic = true
    router.use(Authentication(BasicAuthentication(users: users), options: options))
    router.put("/notes/{id}") { request in
        .text("written by \(request.user?.name ?? "nobody")\n")
    }
}

/// Knows clients by a token.
struct TokenAuthentication: Authenticator {
    let users: [String: AuthenticatedUser]

    func challenges(to request: Request, isStale: Bool) -> [Challenge] {
        [Challenge(scheme: "Bearer", parameters: [.init("realm", "API")])]
    }

    func authenticate(_ authorization: Authorization, _ request: Request) async throws
        -> AuthenticationOutcome
    {
        guard case .other(scheme: "bearer", let token) = authorization else { return .notMine }
        return users[token].map { .accepted($0) } ?? .refused
    }
}

func protectedConfiguration() -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration(port: 8080)
    configuration.protection = Protection(
        hosts: ["shelf.example.org", "*.shelf.example.org"], origins: ["https://app.example.org"])
    configuration.trustedProxies = TrustedProxies([AddressRange("10.0.0.0/8")].compactMap(\.self))
    return configuration
}

func addProtectedRoutes(to router: Router) {
    var options = CORS.Options(sites: .these(["https://app.example.org"]))
    // The login and the cookies that the browser remembers.
    options.allowsCredentials = true
    router.use(CORS(options))
    router.group("/admin", Protection()) { admin in
        admin.delete("/users/{id}") { _ in Response(status: .noContent) }
    }
}

func watch(_ server: HTTPServer, show: (String) -> Void) async {
    for await event in server.events() {
        switch event {
        case .connected: show("somebody is here")
        case .disconnected: show("nobody is here any more")
        case .requestEnded(let request):
            show("\(request.target): \(request.byteCount) bytes in \(request.duration)")
        default: break
        }
    }
}

func watchedConfiguration(queue: @escaping @Sendable (String) -> Void) -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration(port: 8080)
    configuration.accessLog = .standardError(.combined)
    configuration.accessLog = AccessLog(format: .json) { line in queue(line) }
    configuration.log = HTTPLog(level: .notice) { level, line in queue("\(level): \(line)") }
    configuration.hooks.accepts = { peer in peer.address.isLoopback }
    configuration.hooks.rewrites = { head in
        if head.path == "/index.php" { head.path = "/" }
    }
    configuration.errorPages.answer = { status, request in
        guard request?.path.hasPrefix("/api/") ?? false else { return nil }
        return .bytes(Array("{}".utf8), contentType: "application/json", status: status)
    }
    return configuration
}

func addMetrics(of server: HTTPServer, to router: Router) {
    router.get("/metrics", on: .loop) { _ in
        let counters = server.counters
        return .text("requests \(counters.requestCount)\nerrors \(counters.serverErrorCount)\n")
    }
}

func compressedConfiguration() -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration(port: 0)
    configuration.decompression = DecompressionPolicy()
    configuration.compression.byteCountMin = 256
    configuration.compression.compressesFiles = false
    return configuration
}

func activatedConfiguration() throws -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration(port: 8080)
    configuration.passedSockets = try SocketActivation.takeSockets()
    if !configuration.passedSockets.isEmpty { configuration.addresses = [] }
    return configuration
}

func proxiedConfiguration() -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration(port: 8080)
    configuration.trustedProxies = TrustedProxies([AddressRange("127.0.0.0/8")].compactMap { $0 })
    configuration.protection = Protection(hosts: ["files.example.org"])
    return configuration
}
