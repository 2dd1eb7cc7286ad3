import Synchronization
package import WharfNet

/// The calls of ``System`` that can fail.
package enum SystemCall: Int, Sendable, Hashable, CaseIterable {
    case register, socket, listen, connect, accept, receive, send, sendFile
    case openBeneath, open, status, openStream, nextName, read
    case openUnnamed, link, write, allocate, truncate, lock, setMode, sync, rename, makeFolder,
        remove
}

/// Which calls go wrong, and how.
///
/// All systems that share it are counted together.
package final class FaultPlan: Sendable {
    /// What becomes of a call.
    package enum Outcome: Sendable, Hashable {
        /// It is not made, and fails.
        case error(Errno)
        /// At most so many bytes are moved; on calls that move none it changes nothing.
        case short(Int)
        /// It is not made and says `EAGAIN`, although a socket is ready; the poller tells so again.
        case wouldBlock

        /// Nobody on the other end may notice it.
        package var isHarmless: Bool {
            if case .error = self { false } else { true }
        }
    }

    private struct State {
        var counts = [Int](repeating: 0, count: SystemCall.allCases.count)
        var total = 0
        var log: [SystemCall] = []
        var call: SystemCall?
        var numbers = 0..<0
        var outcome = Outcome.wouldBlock
        var struckCount = 0
    }

    private let state = Mutex(State())
    private let keepsLog: Bool

    /// Counts, and lets all calls pass until ``arm(_:numbers:_:)``.
    package init(keepsLog: Bool = false) {
        self.keepsLog = keepsLog
    }

    /// Makes the k-th call of a kind (`nil`: of all) go wrong, the first of which is 1.
    package convenience init(_ call: SystemCall?, number: Int, _ outcome: Outcome) {
        self.init()
        arm(call, numbers: number..<(number + 1), outcome)
    }

    /// Makes some calls of a kind (`nil`: of all) go wrong, and starts to count at 1 again.
    package func arm(_ call: SystemCall?, numbers: Range<Int>, _ outcome: Outcome) {
        state.withLock { state in
            state = State()
            state.call = call
            state.numbers = numbers
            state.outcome = outcome
        }
    }

    /// Lets all calls pass from now on; what was counted stays.
    package func disarm() {
        state.withLock { $0.numbers = 0..<0 }
    }

    /// How many calls of a kind (`nil`: of all) there were.
    package func count(of call: SystemCall?) -> Int {
        state.withLock { state in call.map { state.counts[$0.rawValue] } ?? state.total }
    }

    /// How many calls have gone wrong.
    package var struckCount: Int { state.withLock { $0.struckCount } }

    /// All calls in their order, if they are kept.
    package var log: [SystemCall] { state.withLock { $0.log } }

    /// Counts a call, and says what becomes of it; `nil`: nothing special.
    func next(_ call: SystemCall) -> Outcome? {
        state.withLock { state in
            state.counts[call.rawValue] += 1
            state.total += 1
            if keepsLog { state.log.append(call) }
            guard state.call == nil || state.call == call else { return nil }
            let number = state.call == nil ? state.total : state.counts[call.rawValue]
            guard state.numbers.contains(number) else { return nil }
            state.struckCount += 1
            return state.outcome
        }
    }
}
