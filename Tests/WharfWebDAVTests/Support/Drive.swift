import TestSupport
import WharfHTTP
import WharfNet
import WharfServer
import WharfWebDAV

/// A server with one drive for one test.
struct Drive: Sendable {
    let folder: TemporaryFolder
    let address: SocketAddress
    let mount: String

    /// Serves a drive while the closure runs.
    static func with(
        folder: TemporaryFolder? = nil, isWritable: Bool = true, mount: String = "/",
        options: WebDAVHandler.Options = WebDAVHandler.Options(),
        users: [String] = [], delegate: (any ShareDelegate)? = nil,
        _ body: (Drive) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let share = try Share(folder: folder.path, isWritable: isWritable, delegate: delegate)
        let router = Router()
        if !users.isEmpty { router.use(UserField()) }
        router.mount(mount, try WebDAVHandler(share, options: options))
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.log = .none
        let server = try HTTPServer(configuration, router: router)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let drive = Drive(folder: folder, address: server.addresses[0], mount: mount)
            try await body(drive)
            group.cancelAll()
        }
    }

    /// Sends a request on a connection of its own.
    ///
    /// In HTTP/1.0, whose answers are not chunked.
    func ask(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = ""
    ) async throws -> RawResponse {
        var lines = fields
        lines["Host"] = lines["Host"] ?? "localhost"
        if !body.isEmpty { lines["Content-Length"] = "\(body.utf8.count)" }
        let head = lines.map { "\($0): \($1)\r\n" }.joined()
        return try await RawClient.exchange(
            "\(method) \(target) HTTP/1.0\r\n\(head)\r\n\(body)", with: address)
    }

    /// The status of an answer.
    func status(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = ""
    ) async throws -> Int {
        try await ask(method, target, fields, body: body).status
    }

    /// Locks a resource and hands out the token.
    func lock(
        _ target: String, scope: String = "exclusive", _ fields: [String: String] = ["Depth": "0"]
    ) async throws -> String {
        let response = try await ask("LOCK", target, fields, body: lockInfo(scope))
        guard let token = response.fields["lock-token"] else {
            throw HTTPError(.internalServerError, reason: "LOCK: \(response.status)")
        }
        return String(token.dropFirst().dropLast())
    }
}

/// The body of LOCK.
func lockInfo(_ scope: String = "exclusive") -> String {
    """
    <?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:\(scope)/></D:lockscope>\
    <D:locktype><D:write/></D:locktype><D:owner>me</D:owner></D:lockinfo>
    """
}

/// Takes whoever a field names for who asks.
private struct UserField: HTTPMiddleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        var request = request
        let name = HTTPField.Name("X-User").flatMap { request.fields[$0] }
        request.user = name.map { AuthenticatedUser(name: $0) }
        return try await next(request)
    }
}

extension RawResponse {
    /// What each response of a multistatus says: its properties with a status 200, and those with
    /// another one, by the href.
    func multiStatus() throws -> [String: MultiStatusEntry] {
        var limits = XMLLimits()
        limits.nodeCountMax = 100_000
        let root = try XMLReader.read(body, limits: limits)
        var entries: [String: MultiStatusEntry] = [:]
        for response in root.elements where response.name == .dav("response") {
            var entry = MultiStatusEntry()
            entry.status = response.first(.dav("status"))?.text
            for propstat in response.elements where propstat.name == .dav("propstat") {
                let status = propstat.first(.dav("status"))?.text.dropFirst(9).prefix(3) ?? ""
                for property in propstat.first(.dav("prop"))?.elements ?? [] {
                    entry.properties[property.name] = (Int(status) ?? 0, property)
                }
            }
            entries[response.first(.dav("href"))?.text ?? ""] = entry
        }
        return entries
    }
}

/// What a multistatus says of one resource.
struct MultiStatusEntry {
    var status: String?
    var properties: [XMLName: (status: Int, element: XMLElement)] = [:]

    /// The text of a property that is there.
    func text(_ name: XMLName) -> String? {
        properties[name].flatMap { $0.status == 200 ? $0.element.text : nil }
    }

    func text(_ name: String) -> String? { text(.dav(name)) }

    func status(_ name: String) -> Int? { properties[.dav(name)]?.status }
}
