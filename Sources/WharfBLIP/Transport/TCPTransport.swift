import WharfBLIPEngine
import WharfNet

/// Frames one behind the other on a connection (BLIP 1.1).
final class TCPTransport: BLIPTransport, @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    private let stream: ByteStream
    private var hasFinished = false
    /// When the other end has to have closed, once this one has.
    private var deadline = UInt64.max

    /// Bytes that may wait to be sent before no more frames are asked for.
    private static let outputMax = 64 * 1024
    private static let receiveMax = 64 * 1024
    /// How long the other end may take to close after this one, in nanoseconds.
    private static let closeTimeout: UInt64 = 5_000_000_000

    init(_ stream: ByteStream) {
        self.stream = stream
    }

    var loop: EventLoop { stream.socket.loop }

    func receive() async throws -> [UInt8]? {
        while true {
            let size = try stream.withInput { bytes throws(BLIPFault) in
                try BLIP1Head.frameSize(bytes)
            }
            if let size, stream.inputCount >= size {
                defer { stream.consume(size) }
                return stream.copyInput(0..<size)
            }
            guard try await receiveMore() else {
                // BLIP 1.1 §3.7: an end inside of a frame.
                guard stream.inputCount == 0 else { throw BLIPConnectionError(.disconnected) }
                return nil
            }
        }
    }

    /// False: the other end has finished.
    private func receiveMore() async throws -> Bool {
        while true {
            switch stream.receive(countMax: Self.receiveMax) {
            case .bytes:
                await stream.socket.yieldIfDue()
                return true
            case .ended: return false
            case .failed: throw BLIPConnectionError(.disconnected)
            case .wouldBlock: break
            }
            stream.rest()
            let readiness = await stream.socket.waitCancellably {
                await stream.socket.waitReadable(until: deadline)
            }
            switch readiness {
            case .ready: continue
            // One may come for nothing, from a wait before this one.
            case .interrupted where !Task.isCancelled && !stream.socket.isInterrupted: continue
            case .timedOut, .interrupted, .busy: throw BLIPConnectionError(.disconnected)
            }
        }
    }

    func send(_ next: () throws -> [UInt8]?) async throws {
        while true {
            var isEmpty = false
            while stream.outputCount < Self.outputMax {
                guard let frame = try next() else {
                    isEmpty = true
                    break
                }
                stream.write { $0 += frame }
            }
            if !stream.flushAtOnce() { try await stream.flush() }
            if isEmpty { return }
        }
    }

    func close(_ code: UInt16, _ reason: String) async {
        guard !hasFinished else { return }
        hasFinished = true
        // Whoever sees the end inside of a message knows that it is not whole.
        if code != 1000 { return stream.reset() }
        stream.socket.finishSending()
        deadline = loop.now &+ Self.closeTimeout
        // Whoever waits for more begins to wait for so long.
        stream.socket.nudgeReader()
    }
}
