import WharfNet
import WharfWebSocket
import WharfWebSocketCodec

/// Frames as binary messages of a WebSocket (BLIP 2 and 3).
final class WebSocketTransport: BLIPTransport {
    private let socket: WebSocket

    init(_ socket: WebSocket) {
        self.socket = socket
    }

    var loop: EventLoop { socket.loop }

    func receive() async throws -> [UInt8]? {
        switch try await socket.receive() {
        case .binary(let frame)?: return frame
        case .text?:
            await socket.close(.unsupportedData, reason: "a frame is a binary message")
            throw BLIPConnectionError(.disconnected)
        case nil: return nil
        }
    }

    func send(_ next: () throws -> [UInt8]?) async throws {
        while try !socket.sendAtOnce(next) { try await socket.waitForRoom() }
    }

    func close(_ code: UInt16, _ reason: String) async {
        await socket.close(WebSocketCloseCode(rawValue: code), reason: reason)
    }
}
