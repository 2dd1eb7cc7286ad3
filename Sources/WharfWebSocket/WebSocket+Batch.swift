import WharfNet
import WharfWebSocketCodec

/// Many small messages in one call; on the loop only.
extension WebSocket {
    /// Sends the binary messages that a closure gives, in one call: true when it gives no more, false
    /// when enough waits to be sent.
    package func sendAtOnce(_ next: () throws -> [UInt8]?) throws -> Bool {
        let wasBatching = link.isBatching
        link.isBatching = true
        defer {
            link.isBatching = wasBatching
            if !wasBatching { link.sendNow() }
        }
        while link.hasRoom {
            guard let message = try next() else { return true }
            // There is room, so that it is taken.
            _ = try link.sendAtOnce(.binary, message.span)
        }
        return false
    }

    /// Waits until there is room for more to be sent.
    package func waitForRoom() async throws { try await link.waitForRoom() }
}
