public import WharfBLIPEngine
public import WharfWebSocket
import WharfWebSocketCodec

/// How one end speaks BLIP.
public struct BLIPOptions: Sendable {
    /// The name of the program's own protocol: BLIP 3 is then asked for as `BLIP_3+name`.
    public var applicationProtocol: String?
    /// The versions that are spoken over WebSockets, the one that is liked best first.
    public var versions: [BLIPVersion] = [.v3, .v2]
    /// Bounds of messages and frames.
    public var limits = BLIPLimits()
    /// How hard messages are compressed that are to be: from 1 to 9, or 0 for not at all.
    public var compressionLevel = 6
    /// Requests of one connection that handlers may be at work on; more wait.
    public var requestMax = 100
    /// Whether a reply that its handler gives up after it has begun ends as an error, which only this
    /// package's other end understands; else the connection is closed, as BLIP has no way to say so.
    public var marksTornReplies = false
    /// Whether the other end may close now (BLIP 1.1 and 2); `nil`: it may.
    public var mayClose: (@Sendable (BLIPConnection) async -> Bool)?
    /// How long what is under way may take to end when a closure returns that had the connection.
    public var drainTimeout = Duration.seconds(5)
    /// Is told what happens, on the connection's loop: it must not block.
    public var onEvent: (@Sendable (BLIPConnectionEvent) -> Void)?
    /// The WebSocket under it; its subprotocols and its compression are set by BLIP.
    public var webSocket = WebSocketOptions()

    /// The usual ones.
    public init() {}

    /// The WebSocket's options.
    package var settled: WebSocketOptions {
        var options = webSocket
        options.subprotocols = versions.compactMap(subprotocol)
        options.requiresSubprotocol = true
        // What BLIP has compressed itself can't be made smaller.
        options.compression = nil
        options.limits.messageMax = min(options.limits.messageMax, limits.frameMax)
        return options
    }

    private func subprotocol(of version: BLIPVersion) -> String? {
        guard version == .v3, let applicationProtocol else { return version.subprotocol }
        return version.subprotocol.map { $0 + "+" + applicationProtocol }
    }

    /// The version that a subprotocol stands for.
    func version(of agreed: String?) throws -> BLIPVersion {
        guard let agreed, let version = versions.first(where: { subprotocol(of: $0) == agreed })
        else { throw BLIPConnectionError(.noCommonVersion) }
        return version
    }

    /// Up to a thousand hours.
    static func nanoseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = max(.zero, duration).components
        return UInt64(min(seconds, 3_600_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    func settings(_ dispatcher: BLIPDispatcher) -> BLIPSettings {
        BLIPSettings(
            limits: limits, compressionLevel: min(max(compressionLevel, 0), 9),
            requestMax: max(1, requestMax), marksTornReplies: marksTornReplies,
            drainTimeout: Self.nanoseconds(drainTimeout),
            dispatcher: dispatcher, mayClose: mayClose, listener: onEvent)
    }
}
