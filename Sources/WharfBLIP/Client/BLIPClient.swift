import WharfBLIPEngine
public import WharfHTTP
public import WharfHTTPClient
import WharfNet

/// Opens BLIP connections.
///
///     let client = try BLIPClient()
///     let time = try await client.withConnection(to: "ws://localhost:8080/blip") { connection in
///         try await connection.send(BLIPMessage(profile: "time")).text
///     }
///
/// A URL of `ws` or `wss` speaks BLIP 3 or 2, one of `blip` or `blips` BLIP 1.1, over TLS where it ends
/// in s. Requests of the other end are answered by the dispatcher, for as long as the connection is open.
public final class BLIPClient: Sendable {
    /// Who answers the other end's requests.
    public let dispatcher: BLIPDispatcher
    /// How it speaks BLIP.
    public let options: BLIPOptions
    /// Sent with the handshake of a WebSocket, such as Origin.
    public let fields: HTTPFields
    private let http: HTTPClient

    var loop: EventLoop { http.loop }

    /// Makes a client with a thread of its own.
    ///
    /// The configuration says how servers are reached: credentials, redirects, proxies, whom to trust
    /// and who the client is (TLS), and how long connecting may take. Throws what starting a thread
    /// throws.
    public init(
        _ dispatcher: BLIPDispatcher = BLIPDispatcher(), options: BLIPOptions = BLIPOptions(),
        fields: HTTPFields = [:],
        http configuration: HTTPClient.Configuration = HTTPClient.Configuration()
    ) throws {
        self.dispatcher = dispatcher
        self.options = options
        self.fields = fields
        http = try HTTPClient(configuration)
    }

    /// Lends an open connection to a closure, and closes it when all that is under way is done.
    ///
    /// Throws ``BLIPAddressError``, what keeps the connection from being opened, and what the closure
    /// throws; then the connection is closed at once.
    public func withConnection<Value: Sendable>(
        to url: String, _ body: (BLIPConnection) async throws -> Value
    ) async throws -> Value {
        let address = try BLIPAddress(url)
        return try await makeConnection(nil).run(carry(to: address)) { connection in
            try await connection.waitForOpening()
            return try await body(connection)
        }
    }

    /// A connection that nobody carries yet; what is sent over it waits.
    func makeConnection(_ onEvent: (@Sendable (BLIPConnectionEvent) -> Void)?) -> BLIPConnection {
        var settings = options.settings(dispatcher)
        if let onEvent {
            let listener = settings.listener
            settings.listener = { event in
                listener?(event)
                onEvent(event)
            }
        }
        return BLIPConnection(BLIPLink(settings, loop: loop))
    }

    /// What connects a link.
    func carry(to address: BLIPAddress) -> @Sendable (BLIPLink) async throws -> Void {
        let dialing = BLIPDialing(client: http, options: options, fields: fields)
        return { link in try await dialing.carry(link, to: address) }
    }
}

extension BLIPConnection {
    /// Waits until the connection is open.
    ///
    /// Throws what kept it from being opened.
    public func waitForOpening() async throws {
        try await link.loop.confine { [link] in try await link.waitForOpening() }
    }

    /// Waits until the connection has ended.
    public func waitForEnd() async throws {
        try await link.loop.confine { [link] in
            while link.state != .over { try await link.ending.wait() }
        }
    }
}
