/// When a server in an app listens, and when it asks for time in the background.
///
/// While there are connections the app has a background time, begun before it goes there, so that
/// transfers can end. Without any, or when the time is up, the listeners are closed before the app
/// is suspended: a socket that is open then looks alive to clients, and nobody answers. When the app
/// comes back the same ports are opened again.
///
/// A value that knows no clock and no server: it takes what happens and says what is to be done, in
/// that order. What a step comes to is told before anything else.
struct SuspensionRules: Sendable {
    enum Input: Sendable, Equatable {
        case enteredBackground
        case enteringForeground
        /// The first connection was opened.
        case connected
        /// The last one has ended, some time ago.
        case disconnected
        case timeIsUp
        /// There was none to be had: of ``Step/beginTime``.
        case timeRefused
        case resumed
        case resumeFailed
        /// The time of a ``Step/retry(after:number:)`` has come.
        case retryIsDue(number: Int)
    }

    enum Step: Sendable, Equatable {
        /// Whether connections may wait for a next request.
        case keepIdle(Bool)
        case beginTime
        case endTime
        case suspend
        /// End the connections: the time is up, and they would only seem to be there.
        case cut
        /// It is answered by ``Input/resumed`` or ``Input/resumeFailed``.
        case resume
        case retry(after: Duration, number: Int)
    }

    /// Without it the server never stops to listen, but still asks for time.
    let suspends: Bool

    private(set) var isInBackground = false
    private(set) var isConnected = false
    private(set) var hasTime = false
    private(set) var isSuspended = false
    private var failureCount = 0
    private var retryNumber = 0

    init(suspends: Bool) {
        self.suspends = suspends
    }

    /// Takes what has happened, and says what is to be done.
    mutating func take(_ input: Input) -> [Step] {
        switch input {
        case .enteredBackground: return enterBackground()
        case .enteringForeground: return enterForeground()
        case .connected:
            isConnected = true
            return beginTime()
        case .disconnected:
            isConnected = false
            // First the listeners: once the time is given back nothing may run any more.
            return suspendIfUseless() + endTime()
        case .timeIsUp:
            guard isInBackground else { return endTime() + beginTime() }
            return suspendAndCut() + endTime()
        case .timeRefused:
            hasTime = false
            return isInBackground ? suspendAndCut() : []
        case .resumed:
            failureCount = 0
            return []
        case .resumeFailed:
            isSuspended = true
            failureCount += 1
            return isInBackground ? [] : [retry()]
        case .retryIsDue(let number):
            guard number == retryNumber else { return [] }
            return resume()
        }
    }

    private mutating func enterBackground() -> [Step] {
        guard !isInBackground else { return [] }
        isInBackground = true
        retryNumber += 1
        return (suspends ? [.keepIdle(false)] : []) + beginTime() + suspendIfUseless()
    }

    private mutating func enterForeground() -> [Step] {
        guard isInBackground else { return [] }
        isInBackground = false
        failureCount = 0
        return (suspends ? [.keepIdle(true)] : []) + resume() + beginTime()
    }

    private mutating func beginTime() -> [Step] {
        guard isConnected, !hasTime else { return [] }
        hasTime = true
        return [.beginTime]
    }

    private mutating func endTime() -> [Step] {
        guard hasTime else { return [] }
        hasTime = false
        return [.endTime]
    }

    private mutating func suspendIfUseless() -> [Step] {
        isInBackground && !isConnected ? suspendIfAllowed() : []
    }

    private mutating func suspendAndCut() -> [Step] {
        suspends ? suspendIfAllowed() + [.cut] : []
    }

    private mutating func suspendIfAllowed() -> [Step] {
        guard suspends, !isSuspended else { return [] }
        isSuspended = true
        return [.suspend]
    }

    private mutating func resume() -> [Step] {
        guard isSuspended, !isInBackground else { return [] }
        isSuspended = false
        retryNumber += 1
        return [.resume]
    }

    /// Another program has the port, mostly: it may give it back.
    private mutating func retry() -> Step {
        retryNumber += 1
        return .retry(after: .seconds(1 << min(failureCount - 1, 5)), number: retryNumber)
    }
}
