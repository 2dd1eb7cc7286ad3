import WharfHTTP
import WharfNet

/// The connections that wait for another exchange, and how many are in use; confined to its loop.
final class ConnectionPool: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    private let loop: EventLoop
    private let perOriginMax: Int
    private let keptMax: Int
    private let keptTime: UInt64
    /// The longest unused first.
    private var kept: [ClientConnection] = []
    private var usedCounts: [HTTPURL.Origin: Int] = [:]
    private let gate: LoopGate
    private let timer: LoopTimer
    private var isTimed = false
    private var isClosed = false

    /// What is not idempotent goes over no connection that was unused for longer: it may be about to
    /// close, and then nobody could tell whether the request has arrived.
    private static let freshTime: UInt64 = 1_000_000_000

    init(_ loop: EventLoop, _ configuration: HTTPClient.Configuration) {
        self.loop = loop
        perOriginMax = max(1, configuration.connectionsPerOriginMax)
        keptMax = max(0, configuration.keptConnectionMax)
        keptTime = configuration.keptTimeout.nanoseconds
        gate = LoopGate(loop)
        timer = LoopTimer(loop)
    }

    /// How many are kept and how many are used, for tests.
    var counts: (kept: Int, used: Int) { (kept.count, usedCounts.values.reduce(0, +)) }

    /// Waits until another connection to an origin may be used, and counts it.
    func reserve(_ origin: HTTPURL.Origin, _ deadline: CallDeadline) async throws {
        while usedCounts[origin, default: 0] >= perOriginMax {
            deadline.watch(gate)
            defer { deadline.watch(nil as LoopGate?) }
            try await gate.wait()
            try deadline.check()
        }
        usedCounts[origin, default: 0] += 1
    }

    /// Gives back what ``reserve(_:_:)`` took.
    func release(_ origin: HTTPURL.Origin) {
        let count = usedCounts[origin, default: 1] - 1
        usedCounts[origin] = count > 0 ? count : nil
        gate.open()
    }

    /// The connection to an origin that was used last, if one is still good.
    func take(_ origin: HTTPURL.Origin, isIdempotent: Bool) -> ClientConnection? {
        while let index = kept.lastIndex(where: { $0.origin == origin }) {
            let connection = kept.remove(at: index)
            let idleTime = loop.now &- connection.idleSince
            let isGood = idleTime < keptTime && (isIdempotent || idleTime < Self.freshTime)
            if isGood, connection.isQuiet() { return connection }
            connection.close()
        }
        return nil
    }

    /// Keeps a connection for later, or closes it when there are enough.
    func keep(_ connection: ClientConnection) {
        guard keptMax > 0, !isClosed else { return connection.close() }
        if kept.count >= keptMax { kept.removeFirst().close() }
        connection.stream.rest()
        connection.idleSince = loop.now
        kept.append(connection)
        guard !isTimed else { return }
        isTimed = true
        timer.start(by: loop.now &+ keptTime) { [weak self] in self?.closeExpired($0) }
    }

    /// Closes what is kept for an origin: one of them was found to be dead.
    func discard(_ origin: HTTPURL.Origin) {
        for connection in kept where connection.origin == origin { connection.close() }
        kept.removeAll { $0.origin == origin }
    }

    /// Closes what nobody has used for too long: when to look again.
    private func closeExpired(_ now: UInt64) -> UInt64? {
        while let first = kept.first, now &- first.idleSince >= keptTime {
            first.close()
            kept.removeFirst()
        }
        isTimed = !kept.isEmpty
        return kept.first.map { $0.idleSince &+ keptTime }
    }

    /// Closes all that is kept, for good.
    func close() {
        isClosed = true
        for connection in kept { connection.close() }
        kept.removeAll()
        timer.stop()
    }
}
