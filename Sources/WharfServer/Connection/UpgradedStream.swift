import WharfNet

/// A connection after its upgrade (101): bytes both ways, until the closure that got it returns.
///
/// One task may read and another write. Using it later throws ``HTTPExchangeError``.
public struct UpgradedStream: Sendable {
    let link: UpgradedLink

    /// The next bytes, what came before the upgrade's end first; `nil` when the client has finished.
    ///
    /// When the server is asked to stop, the read that waits throws ``HTTPExchangeError`` with
    /// ``HTTPExchangeError/Kind/stopping`` once: say goodbye and return. A read of a task that is
    /// cancelled throws `CancellationError`, and loses no bytes; there is no other deadline.
    public func read() async throws -> [UInt8]? {
        try await link.state.loop.confine { [link] in try await link.read() }
    }

    /// Sends bytes; returns when they are on their way.
    public func write(_ bytes: [UInt8]) async throws {
        try await link.state.loop.confine { [link] in try await link.write(bytes) }
    }

    /// Sends FIN: the client sees the end, and can still send.
    public func finishWriting() async throws {
        try await link.state.loop.confine { [link] in try await link.finishWriting() }
    }
}

/// The link from a stream to its connection.
///
/// It is cut when the closure has returned.
final class UpgradedLink: @unchecked Sendable {
    // @unchecked: `connection` is used on the loop only.

    let state: LoopState
    private(set) var connection: HTTPServerConnection?
    private var isWriting = false
    private var hasToldStop = false

    init(_ connection: HTTPServerConnection) {
        self.connection = connection
        state = connection.state
    }

    func read() async throws -> [UInt8]? {
        let connection = try open()
        try tellStop()
        if connection.stream.inputCount > 0 { return connection.stream.takeInput() }
        while true {
            let (step, bytes) = connection.socket.receive(countMax: 64 * 1024)
            switch step {
            case .bytes:
                await connection.socket.yieldIfDue()
                return bytes
            case .ended: return nil
            case .failed: throw HTTPExchangeError(.disconnected)
            case .wouldBlock: break
            }
            let readiness = await connection.socket.waitCancellably {
                await connection.socket.waitReadable(until: .max)
            }
            switch readiness {
            case .ready: continue
            case .busy: throw HTTPExchangeError(.alreadyInUse)
            case .timedOut: continue
            case .interrupted:
                if connection.socket.isInterrupted || connection.socket.isBroken {
                    throw HTTPExchangeError(.disconnected)
                }
                try tellStop()
                try Task.checkCancellation()
            }
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        let connection = try open()
        guard !isWriting else { throw HTTPExchangeError(.alreadyInUse) }
        isWriting = true
        defer { isWriting = false }
        try await connection.stream.send(bytes)
    }

    func finishWriting() async throws {
        let connection = try open()
        await connection.socket.sayGoodbye(patience: connection.server.writeTimeout)
        connection.socket.finishSending()
    }

    /// Throws, once, when the server is being stopped.
    private func tellStop() throws {
        guard state.isDraining, !hasToldStop else { return }
        hasToldStop = true
        throw HTTPExchangeError(.stopping)
    }

    func expire() {
        connection = nil
    }

    private func open() throws -> HTTPServerConnection {
        guard let connection else { throw HTTPExchangeError(.ended) }
        return connection
    }
}
