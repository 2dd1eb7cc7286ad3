public import WharfBLIPEngine
public import WharfServer
public import WharfWebSocket
import WharfWebSocketCodec

/// How one end speaks BLIP.
public struct BLIPOptions: Sendable {
    /// The name of the program's own protocol: BLIP 3 is then asked for as `BLIP_3+name`.
    public var applicationProtocol: String?
    /// The versions that are spoken, the one that is liked best first.
    public var versions: [BLIPVersion] = [.v3, .v2]
    /// Bounds of messages and frames.
    public var limits = BLIPLimits()
    /// The WebSocket under it; its subprotocols and its compression are set by BLIP.
    public var webSocket = WebSocketOptions()

    /// The usual ones.
    public init() {}

    /// The WebSocket's options.
    package var settled: WebSocketOptions {
        var options = webSocket
        options.subprotocols = versions.map { version in
            guard version == .v3, let applicationProtocol else { return version.subprotocol }
            return version.subprotocol + "+" + applicationProtocol
        }
        options.requiresSubprotocol = true
        // What BLIP has compressed itself can't be made smaller.
        options.compression = nil
        options.limits.messageMax = min(options.limits.messageMax, limits.frameMax)
        return options
    }
}

extension Router {
    /// Speaks BLIP with clients that ask for it at a path.
    @discardableResult
    public func blip(
        _ path: String, _ dispatcher: BLIPDispatcher, options: BLIPOptions = BLIPOptions(),
        on execution: Execution = .pool
    ) -> RouteID {
        webSocket(path, options: options.settled, on: execution) { socket in
            let link = BLIPLink(
                BLIPConnection.version(of: socket.subprotocol), limits: options.limits,
                loop: socket.loop)
            try await BLIPConnection.serve(socket, link, dispatcher)
        }
    }
}
