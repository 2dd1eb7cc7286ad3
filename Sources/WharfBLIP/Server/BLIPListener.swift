import WharfNet
public import WharfServer

/// A server of its own for BLIP over WebSockets.
///
///     var configuration = BLIPListener.Configuration(port: 8080)
///     configuration.users = users
///     let listener = try BLIPListener(configuration, dispatcher)
///     try await listener.run()
///
/// To speak BLIP beside other things on one port, use ``Router/blip(_:_:options:on:_:)``.
public final class BLIPListener: Sendable {
    /// Where it listens, and who may come in.
    public struct Configuration: Sendable {
        /// The server: addresses, limits, log.
        public var server: HTTPServer.Configuration
        /// The paths that answer; others are 404.
        public var paths = ["/"]
        /// Who may come in, by Basic authentication, and the realm; `nil`: everybody.
        public var users: UserList?
        /// How it speaks BLIP.
        public var options = BLIPOptions()

        /// On the loopback addresses; port 0 picks one.
        public init(port: UInt16) {
            server = HTTPServer.Configuration(port: port)
        }
    }

    /// The server under it: its addresses, its routes and its events.
    public let server: HTTPServer

    /// Binds the addresses.
    ///
    /// The closure is called with each connection, and may send requests over it; who came is in
    /// ``BLIPConnection/user``. Throws ``WharfNet/Errno`` when an address can't be had.
    public init(
        _ configuration: Configuration, _ dispatcher: BLIPDispatcher,
        on execution: Execution = .pool,
        _ onConnection: (@Sendable (BLIPConnection) async throws -> Void)? = nil
    ) throws {
        let router = Router()
        if let users = configuration.users {
            router.use(Authentication(BasicAuthentication(users: users)))
        }
        for path in configuration.paths {
            router.blip(
                path, dispatcher, options: configuration.options, on: execution, onConnection)
        }
        server = try HTTPServer(configuration.server, router: router)
    }

    /// The port that it listens on.
    public var port: UInt16 { server.addresses.first?.port ?? 0 }

    /// Serves until the task is cancelled, or ``stop(within:)`` is called.
    public func run() async throws { try await server.run() }

    /// Stops: clients are told, and cut when the time is over.
    public func stop(within duration: Duration = .seconds(5)) async {
        await server.stop(within: duration)
    }
}
