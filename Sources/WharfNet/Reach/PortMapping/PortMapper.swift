/// Keeps a port of the router's leading to one of ours until it is stopped, on a thread of its own.
///
/// It is asked for again at half of its time, and when the machine's addresses have changed. What
/// fails is tried again: after a second, then ever more rarely, at least once a minute.
package final class PortMapper: Sendable {
    /// What has become of the mapping.
    package enum Report: Sendable, Equatable {
        /// It is there, or has become another one.
        case mapped(PortMapping)
        /// It isn't, or not any more; told once until that changes.
        case failed(PortMappingError)
    }

    private let poll: ThreadPoll
    private let isStopped: Locked<Bool>

    /// How long a router is asked for, in seconds (RFC 6886 §3.3 recommends two hours).
    private static let wantedSeconds: UInt32 = 7200

    /// Starts to ask; `report` and `hasEnded` are called on the thread.
    ///
    /// Throws when there is no thread to be had.
    package convenience init(
        port: UInt16, report: @escaping @Sendable (Report) -> Void,
        hasEnded: @escaping @Sendable () -> Void
    ) throws(Errno) {
        try self.init(
            port: port, seconds: Self.wantedSeconds, gateway: { DefaultGateway.current },
            report: report, hasEnded: hasEnded)
    }

    init(
        port: UInt16, seconds: UInt32, gateway: @escaping @Sendable () -> SocketAddress?,
        report: @escaping @Sendable (Report) -> Void, hasEnded: @escaping @Sendable () -> Void
    ) throws(Errno) {
        let (poll, isStopped) = (try ThreadPoll(), Locked(false))
        self.poll = poll
        self.isStopped = isStopped
        try Thread.start(name: "wharf-mapping") {
            var run = PortMapperRun(port: port, seconds: seconds, poll: poll, report: report) {
                PortMapperRun.routers(
                    gateway(), poll: poll, isStopped: { isStopped.withLock { $0 } })
            }
            while !isStopped.withLock({ $0 }) { run.turn() }
            run.end()
            hasEnded()
        }
    }

    /// Ends the mapping; the thread does it, soon.
    package func stop() {
        isStopped.withLock { $0 = true }
        poll.wake()
    }
}

/// The thread's own.
private struct PortMapperRun {
    /// Finds a router, or throws.
    typealias Way = () throws(PortMappingError) -> any PortMappingRouter

    private let port: UInt16
    private let seconds: UInt32
    private let poll: ThreadPoll
    private let report: (PortMapper.Report) -> Void
    private let find: () -> [Way]
    /// Without it only time passes.
    private let watch = try? NetworkWatch()

    private var current: (router: any PortMappingRouter, mapping: PortMapping)?
    private var pace = RetryPace()
    private var lastError: PortMappingError?
    /// When to ask next, in nanoseconds.
    private var nextTry: UInt64 = 0

    init(
        port: UInt16, seconds: UInt32, poll: ThreadPoll,
        report: @escaping (PortMapper.Report) -> Void, find: @escaping () -> [Way]
    ) {
        self.port = port
        self.seconds = seconds
        self.poll = poll
        self.report = report
        self.find = find
    }

    /// The ways to ask, the quickest first.
    static func routers(
        _ gateway: SocketAddress?, poll: ThreadPoll, isStopped: @escaping () -> Bool
    ) -> [Way] {
        let natPMP: Way = { () throws(PortMappingError) -> any PortMappingRouter in
            try NATPMPRouter(at: gateway, poll: poll, isStopped: isStopped)
        }
        #if PortMapping
            let upnp: Way = { () throws(PortMappingError) -> any PortMappingRouter in
                try UPnPRouter()
            }
            return [natPMP, upnp]
        #else
            return [natPMP]
        #endif
    }

    /// Asks if it is time to, and then waits for something to happen.
    mutating func turn() {
        if System.withoutLoop.now() >= nextTry { ask() }
        let watched = watch.map { [$0.pollDescriptor] } ?? []
        if !poll.wait(for: watched, until: nextTry).isEmpty {
            watch?.drain()
            // Another network, maybe with another router, once its addresses have settled.
            nextTry = min(nextTry, System.withoutLoop.now() &+ 1_000_000_000)
        }
    }

    /// Asks the router that has answered before, else whichever does.
    private mutating func ask() {
        var errors: [String] = []
        if let (router, mapping) = current {
            do throws(PortMappingError) {
                return accept(
                    router, try router.map(port, to: mapping.externalAddress.port, seconds: seconds)
                )
            } catch {
                current = nil
            }
        }
        for way in find() {
            do throws(PortMappingError) {
                let router = try way()
                return accept(router, try router.map(port, to: port, seconds: seconds))
            } catch {
                if !errors.contains(error.description) { errors.append(error.description) }
            }
        }
        nextTry = System.withoutLoop.now() &+ pace.pause()
        let error = PortMappingError(errors.joined(separator: "; "))
        if lastError != error { report(.failed(error)) }
        lastError = error
    }

    private mutating func accept(_ router: any PortMappingRouter, _ mapping: PortMapping) {
        let isNews = current?.mapping.externalAddress != mapping.externalAddress
        current = (router, mapping)
        lastError = nil
        pace.reset()
        let granted = UInt64(clamping: mapping.lifetime.components.seconds)
        // RFC 6886 §3.3: at half of the time; a router that says a second is not asked all the time.
        nextTry = System.withoutLoop.now() &+ max(1, min(granted, 1 << 24) / 2) &* 1_000_000_000
        if isNews { report(.mapped(mapping)) }
    }

    mutating func end() {
        if let (router, mapping) = current { router.unmap(mapping) }
        current = nil
    }
}
