import Testing
import WharfHTTP
import WharfNet
import WharfTesting
@testable import WharfServer

/// Random patterns and paths of few texts, so that many fit: the tree and the plain way agree.
@Suite(.timeLimit(.minutes(1))) struct `Any set of patterns` {
    private static let methods = ["GET", "HEAD", "POST", "DELETE"]

    private struct Nothing: HTTPHandler {
        func respond(to request: Request) async throws -> Response { .text("") }
    }

    private static func pattern(_ random: inout SeededRandom) -> (text: String, isMount: Bool) {
        var segments: [String] = []
        for index in 0..<random.within(0...3) {
            segments.append(
                random.pick([
                    "a", "b", "ab", "aab", "", "{n\(index)}", "{n\(index)}", "a{n\(index)}",
                    "{n\(index)}b", "a{n\(index)}b", "{n\(index)}ab",
                ]))
        }
        switch random.below(5) {
        case 0: return ("/" + segments.joined(separator: "/"), true)
        case 1: return ("/" + (segments + ["{rest...}"]).joined(separator: "/"), false)
        default: return ("/" + segments.joined(separator: "/"), false)
        }
    }

    private static func path(_ random: inout SeededRandom) -> String {
        let count = random.within(0...4)
        let segments = (0..<count).map { _ in random.pick(["a", "b", "ab", "aab", "aaab", "x", ""])
        }
        return "/" + segments.joined(separator: "/")
    }

    /// What the router finds: the number of a route, what it allows, or a status.
    private static func found(
        _ router: Router, _ method: String, _ path: String, _ identity: ConnectionIdentity
    ) throws -> String {
        var parser = HTTPRequestParser(limits: HTTPHeadLimits())
        let bytes = Array("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let head = try #require(try parser.parse(bytes.span))
        let route = router.table.find(head.request).route
        if case .pattern = route.match { return "\(route.id.number)" }
        guard case .inline(let respond) = route.action else { return "not in place" }
        let request = Request(head, body: HTTPBody(source: nil), exchange: identity)
        do {
            return try respond(request).fields[.allow] ?? "no Allow"
        } catch let error as HTTPError {
            return error.fields[.allow] ?? "\(error.status.code)"
        }
    }

    private static func identity(_ router: Router) throws -> ConnectionIdentity {
        let pool = BlockingPool(clock: try System(), threadCountMax: 1, queueMax: 0)
        let address = SocketAddress.loopback(port: 0)
        let configuration = HTTPServer.Configuration(addresses: [address])
        return ConnectionIdentity(
            peer: Peer(address: address, localAddress: address, connectionID: 1),
            server: ServerContext(configuration, router: router, pool: pool))
    }

    @Test(arguments: 1...UInt64(60), [Router.Order.mostSpecificFirst, .latestFirst])
    func `is searched as it is described`(_ seed: UInt64, _ order: Router.Order) throws {
        var random = SeededRandom(seed: seed)
        let router = Router(order: order)
        let identity = try Self.identity(router)
        var routes: [ReferenceRoute] = []
        var ids: [RouteID] = []
        for _ in 0..<random.within(1...40) {
            let (pattern, isMount) = Self.pattern(&random)
            let method = isMount ? nil : random.pick(Self.methods)
            ids.append(
                isMount
                    ? router.mount(pattern, Nothing())
                    : router.on(method.flatMap { .init($0) }, pattern, .inline { _ in .text("") }))
            routes.append(
                ReferenceRoute(
                    pattern: pattern, isMount: isMount, method: method,
                    number: Int(try #require(ids.last).number)))
        }
        for round in 0..<200 {
            let path = Self.path(&random)
            let method = random.pick(Self.methods + ["PUT", "OPTIONS"])
            let winner =
                order == .latestFirst
                ? ReferenceRoute.latest(method, path, of: routes)
                : ReferenceRoute.winner(method, path, of: routes)
            let wanted =
                winner.map { "\($0.number)" }
                ?? ReferenceRoute.allowed(path, of: routes) ?? "404"
            #expect(
                try Self.found(router, method, path, identity) == wanted,
                "seed \(seed), round \(round): \(method) \(path) among \(routes)")
            if random.isOne(in: 8), !routes.isEmpty {
                let gone = random.below(routes.count)
                router.remove(ids.remove(at: gone))
                routes.remove(at: gone)
            }
        }
    }
}
