import Synchronization

/// What one loop has counted; others may read it at any time.
///
/// The loop alone writes, so that no counter needs a locked instruction.
final class LoopTally: Sendable {
    private let requestCount = Atomic<UInt64>(0)
    private let refusedRequestCount = Atomic<UInt64>(0)
    private let receivedByteCount = Atomic<UInt64>(0)
    private let sentByteCount = Atomic<UInt64>(0)
    private let informationalCount = Atomic<UInt64>(0)
    private let successfulCount = Atomic<UInt64>(0)
    private let redirectionCount = Atomic<UInt64>(0)
    private let clientErrorCount = Atomic<UInt64>(0)
    private let serverErrorCount = Atomic<UInt64>(0)

    func noteRequest() { Self.add(1, to: requestCount) }

    /// Bytes came that are no request.
    func noteRefusal() { Self.add(1, to: refusedRequestCount) }

    func noteTraffic(received: Int64, sent: Int64) {
        Self.add(UInt64(clamping: received), to: receivedByteCount)
        Self.add(UInt64(clamping: sent), to: sentByteCount)
    }

    /// An answer with a status has been begun.
    func noteStatus(_ code: Int) {
        switch code {
        case ..<200: Self.add(1, to: informationalCount)
        case ..<300: Self.add(1, to: successfulCount)
        case ..<400: Self.add(1, to: redirectionCount)
        case ..<500: Self.add(1, to: clientErrorCount)
        default: Self.add(1, to: serverErrorCount)
        }
    }

    /// Adds what was counted to a sum.
    func add(to sum: inout HTTPServer.Counters) {
        sum.requestCount += requestCount.load(ordering: .relaxed)
        sum.refusedRequestCount += refusedRequestCount.load(ordering: .relaxed)
        sum.receivedByteCount += receivedByteCount.load(ordering: .relaxed)
        sum.sentByteCount += sentByteCount.load(ordering: .relaxed)
        sum.informationalCount += informationalCount.load(ordering: .relaxed)
        sum.successfulCount += successfulCount.load(ordering: .relaxed)
        sum.redirectionCount += redirectionCount.load(ordering: .relaxed)
        sum.clientErrorCount += clientErrorCount.load(ordering: .relaxed)
        sum.serverErrorCount += serverErrorCount.load(ordering: .relaxed)
    }

    @inline(__always)
    private static func add(_ count: UInt64, to counter: borrowing Atomic<UInt64>) {
        counter.store(counter.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }
}
