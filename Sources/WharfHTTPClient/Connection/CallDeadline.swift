import WharfNet

/// The time by which an exchange has to be over; it is confined to the client's loop.
///
/// When the time has come whatever the exchange waits for ends.
final class CallDeadline: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    private var timer: LoopTimer?
    /// Nanoseconds of the loop's clock; `.max`: never.
    let time: UInt64
    private(set) var isExpired = false
    private var socket: Socket?
    private var gate: LoopGate?

    /// A deadline that is `total` after now; call it on the loop, and ``stop()`` at the end.
    init(_ loop: EventLoop, in total: Duration?) {
        time = total.map { loop.now &+ $0.nanoseconds } ?? .max
        guard time != .max else { return }
        let timer = LoopTimer(loop)
        timer.start(by: time) { [weak self] in self?.look(at: $0) }
        self.timer = timer
    }

    /// Says what is to end when the time comes.
    func watch(_ socket: Socket?) { self.socket = socket }

    /// Says which gate is to open when the time comes.
    func watch(_ gate: LoopGate?) { self.gate = gate }

    /// Throws when the time has come.
    func check() throws(HTTPClientError) {
        if isExpired { throw HTTPClientError(.expired, "the exchange took too long") }
    }

    func stop() {
        timer?.stop()
        socket = nil
        gate = nil
    }

    private func look(at now: UInt64) -> UInt64? {
        guard now >= time else { return time }
        isExpired = true
        socket?.interrupt()
        gate?.open()
        return nil
    }
}
