import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

extension Request {
    /// A request made of its text, of no server that runs.
    static func parsed(
        _ text: String, from address: SocketAddress = .loopback(port: 1),
        configuration: HTTPServer.Configuration = HTTPServer.Configuration(port: 0)
    ) throws -> Request {
        var parser = HTTPRequestParser()
        let head = try #require(try parser.parse(Array(text.utf8).span))
        let context = ServerContext(
            configuration, router: Router(), pool: BlockingPool(clock: .withoutLoop))
        let peer = Peer(
            address: address, localAddress: .loopback(port: 80), connectionID: 1)
        return Request(
            head, body: .empty, exchange: ConnectionIdentity(peer: peer, server: context))
    }
}
