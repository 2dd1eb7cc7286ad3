/// Waiting in the middle of a message, where a peer may not only stop but also be too slow.
extension Socket {
    /// Says how slow the peer may be in ``waitForMore(patience:)`` and ``expectWritable(patience:)``.
    package func limitPace(_ limit: PaceLimit?) {
        unsafe pace.limit = limit
    }

    /// Waits for more of a message, for `patience` nanoseconds.
    ///
    /// A peer that is slower than the limit is timed out too.
    package func waitForMore(patience: UInt64) async -> Readiness {
        let deadline = loop.now &+ patience
        while true {
            let start = loop.now
            let windowEnd = unsafe pace.windowEnd(from: start)
            let readiness = await waitReadable(until: min(deadline, windowEnd))
            switch readiness {
            case .ready: return keepsPace(since: start) ? .ready : .timedOut
            case .timedOut where keepsPace(since: start) && loop.now < deadline: continue
            case .timedOut, .interrupted, .busy: return readiness
            }
        }
    }

    /// Waits to write, for `patience` nanoseconds; throws what else than readiness comes.
    ///
    /// A peer that is slower than the limit is timed out too.
    package func expectWritable(patience: UInt64) async throws(Errno) {
        let deadline = loop.now &+ patience
        while true {
            let start = loop.now
            let windowEnd = unsafe pace.windowEnd(from: start)
            let readiness = await waitCancellably {
                await waitWritable(until: min(deadline, windowEnd))
            }
            switch readiness {
            case .ready where keepsPace(since: start): return
            case .timedOut where keepsPace(since: start) && loop.now < deadline: continue
            case .ready, .timedOut: throw .timedOut
            case .interrupted where unsafe !isInterrupted && !Task.isCancelled: continue
            case .interrupted: throw .cancelled
            case .busy: throw .alreadyWaiting
            }
        }
    }

    private func keepsPace(since start: UInt64) -> Bool {
        unsafe pace.noteWaited(loop.now &- start)
    }
}
