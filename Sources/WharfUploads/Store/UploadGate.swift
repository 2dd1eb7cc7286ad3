import WharfHTTP
import WharfNet
import WharfServer

/// Lets one request at a time have an upload, and the newest first.
///
/// A client whose connection has broken asks again before the server notices: its older request would
/// hold the upload until it times out. So the newer one ends the older, and waits only until that has
/// put away what it got.
final class UploadGate: Sendable {
    private struct Waiter {
        let body: HTTPBody
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Slot {
        var body: HTTPBody
        var waiter: Waiter?
    }

    private let slots = Locked<[String: Slot]>([:])

    /// Enters, or throws 409 when a still newer request came while this one waited.
    ///
    /// Who enters leaves.
    func enter(_ id: String, _ body: HTTPBody) async throws {
        let older = slots.withLock { slots -> HTTPBody? in
            if let slot = slots[id] { return slot.body }
            slots[id] = Slot(body: body)
            return nil
        }
        guard let older else { return }
        await older.interrupt()
        let hasEntered = await withCheckedContinuation { continuation in
            wait(id, Waiter(body: body, continuation: continuation))
        }
        guard hasEntered else {
            throw HTTPError(.conflict, reason: "a newer request for the same upload")
        }
    }

    private func wait(_ id: String, _ waiter: Waiter) {
        enum Outcome {
            case entered
            case waits(replacing: Waiter?)
        }
        let outcome = slots.withLock { slots -> Outcome in
            guard let slot = slots[id] else {
                slots[id] = Slot(body: waiter.body)
                return .entered
            }
            slots[id]?.waiter = waiter
            return .waits(replacing: slot.waiter)
        }
        switch outcome {
        case .entered: waiter.continuation.resume(returning: true)
        case .waits(let replaced): replaced?.continuation.resume(returning: false)
        }
    }

    /// Lets the next one in.
    func leave(_ id: String) {
        let next = slots.withLock { slots in
            let waiter = slots[id]?.waiter
            slots[id] = waiter.map { Slot(body: $0.body) }
            return waiter
        }
        next?.continuation.resume(returning: true)
    }

    /// Whether some request waits for another to leave.
    func isWaitedFor(_ id: String) -> Bool { slots.withLock { $0[id]?.waiter != nil } }

    /// Whether some request has it.
    func isTaken(_ id: String) -> Bool { slots.withLock { $0[id] != nil } }
}
