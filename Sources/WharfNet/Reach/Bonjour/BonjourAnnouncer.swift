/// Announces services until it is stopped, on a thread of its own.
///
/// What can't be announced, or is lost because the daemon has died, is tried again: after a second,
/// then ever more rarely, at least once a minute.
package final class BonjourAnnouncer: Sendable {
    /// What has become of a service.
    package enum Report: Sendable, Equatable {
        /// It is announced, with the name that it got.
        case registered(BonjourService)
        /// It isn't, or not any more; told once until that changes.
        case failed(BonjourService, BonjourError)
    }

    private let poll: ThreadPoll
    private let isStopped = Locked(false)

    /// Starts to announce; `report` and `hasEnded` are called on the thread.
    ///
    /// `interface` is the system's number, 0 for all. `directory` is called there too, again if it
    /// throws. This throws when there is no thread to be had.
    package init(
        _ services: [BonjourService], port: UInt16, interface: UInt32,
        directory: @escaping @Sendable () throws(BonjourError) -> any ServiceDirectory,
        report: @escaping @Sendable (Report) -> Void, hasEnded: @escaping @Sendable () -> Void
    ) throws(Errno) {
        let poll = try ThreadPoll()
        self.poll = poll
        try Thread.start(name: "wharf-bonjour") { [isStopped] in
            var run = BonjourRun(
                entries: services.map { BonjourEntry($0, port: port, interface: interface) },
                poll: poll, directory: directory, report: report)
            while !isStopped.withLock({ $0 }) { run.turn() }
            run.end()
            hasEnded()
        }
    }

    /// Takes everything back; the thread does it, soon.
    package func stop() {
        isStopped.withLock { $0 = true }
        poll.wake()
    }
}

/// The thread's own.
private struct BonjourRun {
    let entries: [BonjourEntry]
    let poll: ThreadPoll
    let directory: () throws(BonjourError) -> any ServiceDirectory
    let report: (BonjourAnnouncer.Report) -> Void
    private var loaded: (any ServiceDirectory)?

    init(
        entries: [BonjourEntry], poll: ThreadPoll,
        directory: @escaping () throws(BonjourError) -> any ServiceDirectory,
        report: @escaping (BonjourAnnouncer.Report) -> Void
    ) {
        self.entries = entries
        self.poll = poll
        self.directory = directory
        self.report = report
    }

    /// Registers what is due, and then waits for something to happen.
    mutating func turn() {
        let now = System.withoutLoop.now()
        for entry in entries where entry.isDue(at: now) {
            entry.register(at: now, in: load(), report)
        }
        let ready = poll.wait(
            for: entries.compactMap(\.descriptor), until: entries.compactMap(\.nextTry).min())
        let later = System.withoutLoop.now()
        for entry in entries {
            if let descriptor = entry.descriptor, ready.contains(descriptor) {
                entry.process(at: later, report)
            }
        }
    }

    func end() { for entry in entries { entry.end() } }

    private mutating func load() -> Result<any ServiceDirectory, BonjourError> {
        if let loaded { return .success(loaded) }
        do throws(BonjourError) {
            let found = try directory()
            loaded = found
            return .success(found)
        } catch {
            return .failure(error)
        }
    }
}

/// One service and what has become of it.
private final class BonjourEntry {
    private let service: BonjourService
    private let port: UInt16
    private let interface: UInt32
    private var registration: (any ServiceRegistration)?
    private var pace = RetryPace()
    /// When to try again, in nanoseconds; `nil`: there is a registration.
    private(set) var nextTry: UInt64? = 0
    private var lastError: BonjourError?
    private var outcome: Result<String, BonjourError>?

    init(_ service: BonjourService, port: UInt16, interface: UInt32) {
        self.service = service
        self.port = port
        self.interface = interface
    }

    var descriptor: Int32? { registration?.descriptor }

    func isDue(at now: UInt64) -> Bool { nextTry.map { $0 <= now } ?? false }

    func register(
        at now: UInt64, in directory: Result<any ServiceDirectory, BonjourError>,
        _ report: (BonjourAnnouncer.Report) -> Void
    ) {
        do throws(BonjourError) {
            if let problem = service.problem { throw BonjourError(problem) }
            registration = try directory.get().register(
                service, port: port, interface: interface
            ) { [unowned self] in self.outcome = $0 }
            nextTry = nil
            settle(at: now, report)
        } catch {
            fail(error, at: now, report)
        }
    }

    func process(at now: UInt64, _ report: (BonjourAnnouncer.Report) -> Void) {
        do throws(BonjourError) {
            try registration?.process()
            settle(at: now, report)
        } catch {
            fail(error, at: now, report)
        }
    }

    /// Takes notice of what the callback was told.
    private func settle(at now: UInt64, _ report: (BonjourAnnouncer.Report) -> Void) {
        guard let told = outcome else { return }
        outcome = nil
        switch told {
        case .success(let name):
            var announced = service
            announced.name = name
            pace.reset()
            lastError = nil
            report(.registered(announced))
        case .failure(let error):
            fail(error, at: now, report)
        }
    }

    private func fail(
        _ error: BonjourError, at now: UInt64, _ report: (BonjourAnnouncer.Report) -> Void
    ) {
        end()
        outcome = nil
        nextTry = now &+ pace.pause()
        if lastError != error { report(.failed(service, error)) }
        lastError = error
    }

    func end() {
        registration?.end()
        registration = nil
    }
}
