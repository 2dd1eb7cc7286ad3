import WharfNet

/// The clocks of one WebSocket: pings when the other end is silent, and how long a Close may take.
struct WebSocketHeartbeat {
    private let interval: UInt64?
    private let timeout: UInt64
    private let closeTimeout: UInt64
    private var lastHeard: UInt64
    /// When the ping was sent that has no answer yet.
    private var pinged: UInt64?
    private var closeDeadline: UInt64?
    private var answerDeadline: UInt64?

    /// What is to be done now.
    enum Step: Equatable {
        /// Nothing, until then.
        case wait(until: UInt64)
        /// Send a ping, and look again then.
        case ping(until: UInt64)
        /// Send the Close that is owed.
        case answerClose
        /// The other end is gone.
        case giveUp
    }

    init(_ options: WebSocketOptions, now: UInt64) {
        interval = options.heartbeatInterval.map(\.clampedNanoseconds)
        timeout = options.heartbeatTimeout.clampedNanoseconds
        closeTimeout = options.closeTimeout.clampedNanoseconds
        lastHeard = now
    }

    /// Something came from the other end, whatever it was.
    mutating func note(_ now: UInt64) {
        lastHeard = now
        pinged = nil
    }

    /// The other end has closed and waits for the answer; answers until when it has to go out.
    mutating func beginOwing(_ now: UInt64) -> UInt64 {
        let deadline = now &+ closeTimeout / 2
        answerDeadline = deadline
        return deadline
    }

    /// From now on the other end is waited for only so long; answers until when.
    mutating func beginClosing(_ now: UInt64) -> UInt64 {
        let deadline = closeDeadline ?? now &+ closeTimeout
        closeDeadline = deadline
        return deadline
    }

    /// What a look at the clock brings.
    mutating func look(_ now: UInt64) -> Step {
        if let closeDeadline {
            return now >= closeDeadline ? .giveUp : .wait(until: closeDeadline)
        }
        if let answerDeadline {
            return now >= answerDeadline ? .answerClose : .wait(until: answerDeadline)
        }
        guard let interval else { return .wait(until: .max) }
        if let pinged {
            let deadline = pinged &+ timeout
            // Looked at before that: an answer starts the interval anew.
            return now >= deadline ? .giveUp : .wait(until: min(deadline, now &+ interval))
        }
        guard now >= lastHeard &+ interval else { return .wait(until: lastHeard &+ interval) }
        pinged = now
        return .ping(until: now &+ min(timeout, interval))
    }
}

extension Duration {
    /// Nanoseconds, between 1 and about 146 years.
    var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        let whole = UInt64(min(seconds, 4_600_000_000)) * 1_000_000_000
        return max(1, whole + UInt64(attoseconds) / 1_000_000_000)
    }
}
