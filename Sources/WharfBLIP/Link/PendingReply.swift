import WharfBLIPEngine
import WharfNet

/// A reply that somebody waits for.
final class PendingReply: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    let number: UInt64
    /// Whether it is read piece by piece.
    let isStreamed: Bool
    let gate: LoopGate
    var head: BLIPMessageHead?
    var inbox: BLIPInbox?
    private(set) var failure: (any Error)?

    init(_ number: UInt64, isStreamed: Bool, _ loop: EventLoop) {
        self.number = number
        self.isStreamed = isStreamed
        gate = LoopGate(loop)
    }

    func fail(_ error: any Error) {
        // One that is there whole stays so.
        guard failure == nil, inbox?.isWhole != true else { return }
        // Who reads it piece by piece has its head, and meets the error there.
        if !(isStreamed && inbox != nil) { failure = error }
        gate.open()
    }
}

/// A request and the handler that is to be called for it.
struct BLIPCall: @unchecked Sendable {
    // @unchecked: the inbox is used on the loop only.
    let handler: BLIPHandler
    let head: BLIPMessageHead
    let inbox: BLIPInbox
}
