package import WharfNet

/// A client's end of a connection in a ``Simulation``: it moves bytes, and knows no protocol.
///
/// It is used on the clients' loop only; one task may send while another receives.
package final class SimulatedClient: @unchecked Sendable {
    // @unchecked: confined to the loop.

    private let socket: Socket
    private let descriptor: Int32
    private let loop: EventLoop
    private let network: SimulatedNetwork

    /// Connects.
    ///
    /// Throws `ECONNREFUSED` when nobody listens there, or too many wait.
    package init(connectingTo address: SocketAddress, in simulation: Simulation) throws(Errno) {
        loop = simulation.clientLoop
        network = simulation.network
        descriptor = Int32(try loop.system.socket(for: address).get())
        if case .failure(let error) = loop.system.connect(descriptor, to: address) {
            loop.system.close(descriptor)
            throw error
        }
        socket = try Socket(descriptor, loop: loop)
    }

    /// Secures the connection, before anything is sent.
    ///
    /// Throws ``WharfNet/TLSError``; then there is nothing to do but to close.
    package func secure(with tls: TLSClient, host: String) async throws(TLSError) {
        _ = try await socket.secure(
            with: tls, host: host, until: loop.now + 3_600_000_000_000)
    }

    /// Tells a server over TLS that nothing follows; to be followed by ``finish()``.
    package func sayGoodbye() async { await socket.sayGoodbye(patience: .max / 4) }

    /// Nanoseconds of the virtual clock.
    package var now: UInt64 { network.now }

    /// How many of the bytes that were sent the server has received.
    package var arrivedCount: Int {
        socket.isOpen ? network.countReceivedByPeer(of: descriptor) : 0
    }

    /// Sends all bytes, however long it takes.
    ///
    /// Throws when the connection is gone.
    package func send(_ bytes: some Sequence<UInt8>) async throws {
        try await socket.sendAll(Array(bytes), patience: .max / 4)
    }

    /// What has come, at most 64 KiB, or `nil` after FIN.
    ///
    /// Throws `ECONNRESET` after RST, `ETIMEDOUT` when nothing comes for `patience` nanoseconds.
    package func receive(patience: UInt64 = 3_600_000_000_000) async throws(Errno) -> [UInt8]? {
        while true {
            let (step, bytes) = socket.receive(countMax: 64 * 1024)
            switch step {
            case .bytes:
                await socket.yieldIfDue()
                return bytes
            case .ended: return nil
            case .failed(let error): throw error
            case .wouldBlock: break
            }
            switch await socket.waitReadable(until: loop.now + patience) {
            case .ready: continue
            case .timedOut: throw .timedOut
            case .interrupted, .busy: throw .cancelled
            }
        }
    }

    /// Does nothing for so many nanoseconds.
    ///
    /// False when RST came meanwhile, and it then returns at once.
    package func stall(_ nanoseconds: UInt64) async -> Bool {
        socket.rememberTask()
        socket.cancelsTask = true
        defer { socket.cancelsTask = false }
        do {
            try await loop.sleep(until: loop.now + nanoseconds)
        } catch {
            return false
        }
        return true
    }

    /// Sends FIN.
    package func finish() { socket.finishSending() }

    /// Ends the connection with RST.
    package func reset() { socket.reset() }

    /// Closes; that is RST when bytes have come that nobody has received.
    package func close() { socket.close() }
}
