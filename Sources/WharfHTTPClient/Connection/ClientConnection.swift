import WharfHTTP
import WharfNet

/// One connection to an origin, confined to the client's loop.
final class ClientConnection: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    let stream: ByteStream
    let origin: HTTPURL.Origin
    /// Exchanges that it has served or serves.
    var useCount = 0
    /// When it was last put aside, in the loop's nanoseconds.
    var idleSince: UInt64 = 0

    init(_ stream: ByteStream, to origin: HTTPURL.Origin) {
        self.stream = stream
        self.origin = origin
    }

    var socket: Socket { stream.socket }
    var loop: EventLoop { stream.socket.loop }

    /// Whether it has served an exchange before.
    var isKept: Bool { useCount > 1 }

    /// Whether nothing has come since it was put aside, neither bytes nor an end.
    func isQuiet() -> Bool {
        guard socket.isOpen, !socket.isBroken, !socket.peerHasFinished, stream.inputCount == 0
        else { return false }
        guard socket.mayHaveInput else { return true }
        if case .wouldBlock = stream.receive(countMax: 1) { return true }
        return false
    }

    func close() {
        stream.discardInput()
        stream.rest()
        socket.close()
    }
}
