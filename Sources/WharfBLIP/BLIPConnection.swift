public import WharfBLIPEngine
import WharfNet
public import WharfWebSocket
import WharfWebSocketCodec

/// A BLIP connection over a WebSocket, at either end of it.
///
/// Both ends send requests at any time; replies come as they are ready. Messages are whole here:
/// their bodies are in memory while they come and go.
public final class BLIPConnection: Sendable {
    private let link: BLIPLink

    init(_ link: BLIPLink) {
        self.link = link
    }

    /// Sends a request, and returns the reply when it is there whole.
    ///
    /// A reply may tell of an error: see ``BLIPReply/error``. Throws ``BLIPConnectionError`` when
    /// none will come, and `CancellationError`.
    public func send(_ request: BLIPOutgoing) async throws -> BLIPReply {
        var request = request
        request.head.wantsNoReply = false
        return try await link.loop.confine { [link, request] in try await link.ask(request) }
    }

    /// Sends a request that wants no reply; returns at once.
    public func sendWithoutReply(_ request: BLIPOutgoing) async throws {
        var request = request
        request.head.wantsNoReply = true
        try await link.loop.confine { [link, request] in try link.tell(request) }
    }

    /// Speaks BLIP over a WebSocket while a closure runs, and answers the other end's requests.
    ///
    /// Throws what the closure throws, and ``WharfWebSocket/WebSocketConnectionError`` when the two
    /// ends have not agreed on BLIP.
    public static func run<Value: Sendable>(
        over socket: WebSocket, _ dispatcher: BLIPDispatcher = BLIPDispatcher(),
        limits: BLIPLimits = BLIPLimits(),
        _ body: @escaping @Sendable (BLIPConnection) async throws -> Value
    ) async throws -> Value {
        let link = BLIPLink(
            version(of: socket.subprotocol), limits: limits, loop: socket.loop)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve(socket, link, dispatcher) }
            do {
                let value = try await body(BLIPConnection(link))
                group.cancelAll()
                return value
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    /// Answers the other end's requests until it closes.
    static func serve(
        _ socket: WebSocket, _ link: BLIPLink, _ dispatcher: BLIPDispatcher
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                while let frame = try await link.loop.confine({ try await link.nextFrame() }) {
                    try await socket.send(frame)
                }
            }
            do {
                try await read(socket, link) { request in
                    group.addTask {
                        let answer = await dispatcher.answer(request)
                        try await link.loop.confine { link.reply(to: request, answer) }
                    }
                }
            } catch {
                try? await link.loop.confine { link.end() }
                throw error
            }
            // It throws nothing itself.
            try? await link.loop.confine { link.end() }
            group.cancelAll()
        }
    }

    private static func read(
        _ socket: WebSocket, _ link: BLIPLink, _ begin: (BLIPRequest) -> Void
    ) async throws {
        while let message = try await socket.receive() {
            // Every frame is a binary message.
            guard case .binary(let frame) = message else {
                return await socket.close(.unsupportedData)
            }
            do {
                for request in try await link.loop.confine({ try link.take(frame) }) {
                    begin(request)
                }
            } catch let fault as BLIPFault {
                await socket.close(
                    WebSocketCloseCode(rawValue: fault.closeCode), reason: "\(fault.kind)")
                throw fault
            }
            try await link.loop.confine { try await link.waitForRoom() }
        }
    }

    static func version(of subprotocol: String?) -> BLIPVersion {
        subprotocol == BLIPVersion.v2.subprotocol ? .v2 : .v3
    }
}
