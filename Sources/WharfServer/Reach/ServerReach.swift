import WharfNet

/// What tells others of a server while it listens: Bonjour, and the router's port.
final class ServerReach: Sendable {
    private struct State {
        var announcer: BonjourAnnouncer?
        var mapper: PortMapper?
        /// Counts beginnings: what a thread of an earlier one says is not news.
        var number = 0
        var threadCount = 0
        var services: [BonjourService] = []
        var mapping: PortMapping?
    }

    private let services: [BonjourService]
    private let mapsPort: Bool
    private let log: HTTPLog
    private let events: EventHub
    private let state = Locked(State())

    init(_ configuration: HTTPServer.Configuration, _ events: EventHub) {
        services = configuration.bonjour
        mapsPort = configuration.mapsPort
        log = configuration.log
        self.events = events
    }

    /// The services that are announced now, with the names that they got.
    var announced: [BonjourService] { state.withLock { $0.services } }

    /// The port that the router has given.
    var mapping: PortMapping? { state.withLock { $0.mapping } }

    // MARK: Beginning and ending

    /// Starts to tell others, as far as that is wanted; what fails is logged, and tried again.
    func begin(at addresses: [SocketAddress]) {
        guard !services.isEmpty || mapsPort else { return }
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        if !services.isEmpty { announce(addresses, number) }
        if mapsPort { map(addresses, number) }
    }

    /// Takes everything back; threads of their own do it, soon.
    func end() {
        let (announcer, mapper) = state.withLock { state in
            defer {
                state.announcer = nil
                state.mapper = nil
                state.services = []
                state.mapping = nil
                state.number += 1
            }
            return (state.announcer, state.mapper)
        }
        announcer?.stop()
        mapper?.stop()
    }

    /// Waits until everything is taken back, at most until a time in nanoseconds: a daemon may hang.
    func waitForEnd(on loop: EventLoop, until deadline: UInt64) async {
        while state.withLock({ $0.threadCount > 0 }), loop.now < deadline {
            guard (try? await loop.sleep(until: loop.now &+ 20_000_000)) != nil else { return }
        }
    }

    private func announce(_ addresses: [SocketAddress], _ number: Int) {
        guard let place = BonjourPlace(addresses) else {
            return log(.error, "Bonjour: there is no TCP port that could be announced")
        }
        start { ended throws(Errno) in
            let announcer = try BonjourAnnouncer(
                services, port: place.port, interface: place.interface,
                directory: { () throws(BonjourError) in try DNSServiceLibrary() },
                report: { [weak self] in self?.take($0, number) }, hasEnded: ended)
            state.withLock { $0.announcer = announcer }
        }
    }

    private func map(_ addresses: [SocketAddress], _ number: Int) {
        let reachable = addresses.first {
            if case .ipv4 = $0 { return !$0.isLoopback }
            return false
        }
        guard let reachable else {
            let what = "port mapping: the server doesn't listen where a router could reach it"
            return log(.error, what)
        }
        start { ended throws(Errno) in
            let mapper = try PortMapper(
                port: reachable.port, report: { [weak self] in self?.take($0, number) },
                hasEnded: ended)
            state.withLock { $0.mapper = mapper }
        }
    }

    /// Runs what starts a thread, and counts the thread.
    private func start(
        _ body: (_ ended: @escaping @Sendable () -> Void) throws(Errno) -> Void
    ) {
        state.withLock { $0.threadCount += 1 }
        let ended: @Sendable () -> Void = { [weak self] in
            self?.state.withLock { $0.threadCount -= 1 }
        }
        do throws(Errno) {
            try body(ended)
        } catch {
            ended()
            log(.error, "cannot announce the server: \(error)")
        }
    }

    // MARK: Hearing of it

    private func take(_ report: BonjourAnnouncer.Report, _ number: Int) {
        let isNews = state.withLock { state in
            guard state.number == number else { return false }
            switch report {
            case .registered(let service):
                state.services.removeAll { $0.type == service.type && $0.text == service.text }
                state.services.append(service)
            case .failed(let service, _):
                state.services.removeAll { $0.type == service.type && $0.text == service.text }
            }
            return true
        }
        guard isNews else { return }
        switch report {
        case .registered(let service):
            log(.notice, "Bonjour: announced as \"\(service.name)\" (\(service.type))")
            events.send(.announced(service))
        case .failed(let service, let error):
            log(.error, "Bonjour: \(service.type) is not announced, trying again: \(error)")
            events.send(.announcingFailed(service, error))
        }
    }

    private func take(_ report: PortMapper.Report, _ number: Int) {
        let mapping: PortMapping? = if case .mapped(let mapping) = report { mapping } else { nil }
        let isNews = state.withLock { state in
            guard state.number == number else { return false }
            state.mapping = mapping
            return true
        }
        guard isNews else { return }
        switch report {
        case .mapped(let mapping):
            let note = mapping.isPublic ? "" : "; that address is not public, there is another NAT"
            log(
                .notice,
                "port mapping: the router's \(mapping.externalAddress) leads here "
                    + "(\(mapping.method.rawValue))\(note)")
            events.send(.portMapped(mapping))
        case .failed(let error):
            log(.error, "port mapping failed, trying again: \(error)")
            events.send(.portMappingFailed(error))
        }
    }
}
