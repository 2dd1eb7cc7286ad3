/// What a system that suspends programs tells one of them.
public enum AppEvent: Sendable, Hashable {
    /// Nobody sees the program any more: it will be suspended soon.
    case enteredBackground
    /// It is about to be seen again.
    case enteringForeground
    /// The time that ``AppLifecycle/beginBackgroundTime()`` got is up: give it back now.
    case backgroundTimeIsUp
}

/// Where a server learns that its program is about to be suspended, and how it asks for time.
///
/// `UIKitLifecycle` is the one for apps on iOS. Tests bring their own.
public protocol AppLifecycle: Sendable {
    /// What happens from now on; a program in the background begins with
    /// ``AppEvent/enteredBackground``.
    ///
    /// It is asked for once, when the server starts. When it ends nothing changes any more.
    func events() -> AsyncStream<AppEvent>

    /// Asks for time to go on in the background; false when there is none.
    ///
    /// A server has at most one such time, and ends it before it asks for another.
    func beginBackgroundTime() async -> Bool

    /// Gives the time back: the program may be suspended at once.
    func endBackgroundTime() async
}
