import Synchronization
import WharfHTTP
public import WharfNet

/// An HTTP/1.1 server inside a program.
///
///     let server = try HTTPServer(port: 8080) { request in .text("Hello, world!\n") }
///     try await server.run()
///
/// Making one binds its addresses, so clients can connect from then on; ``run()`` answers them.
public final class HTTPServer: Sendable {
    /// The routes; they may change while the server runs.
    public let router: Router
    /// Where the server listens, with the ports that the system picked.
    public let addresses: [SocketAddress]

    let context: ServerContext
    let states: [LoopState]
    let security: ServerSecurity?
    /// So many of the addresses, the first ones, are for ``security``, if there is some.
    let secureCount: Int
    private let engine: ServerEngine
    let listeners: ServerListeners
    let reach: ServerReach
    let lifecycle: ServerLifecycle

    /// Makes a server that answers every request with one closure, on the loopback addresses.
    ///
    /// Port 0 picks one. The closure runs on the server's thread pool and may block. Throws
    /// ``WharfNet/Errno`` when the port can't be had.
    public convenience init(
        port: UInt16, _ respond: @escaping @Sendable (Request) async throws -> Response
    ) throws {
        let router = Router()
        router.on({ _ in true }, respond: respond)
        try self.init(Configuration(port: port), router: router)
    }

    /// Makes a server for a router.
    ///
    /// For the whole process, SIGPIPE and SIGXFSZ are ignored from now on, and the soft limit of open
    /// descriptors is raised to the hard one. Throws ``WharfNet/Errno`` when an address can't be
    /// had, ``WharfNet/TLSError`` when ``Configuration/tls`` can't be used.
    public convenience init(_ configuration: Configuration, router: Router) throws {
        try self.init(configuration, router: router, engine: ServerEngine(configuration))
    }

    /// Makes a server on loops and threads that somebody else may drive.
    package init(_ configuration: Configuration, router: Router, engine: ServerEngine) throws {
        var configuration = configuration
        ProcessSettings.ignoreDeadlySignals()
        let descriptorMax = ProcessSettings.raiseDescriptorLimit()
        let connectionMax = configuration.connectionMax
        configuration.connectionMax = max(1, min(connectionMax, descriptorMax - 64))
        if configuration.connectionMax < connectionMax {
            configuration.log(
                .notice,
                "at most \(configuration.connectionMax) connections and not \(connectionMax): "
                    + "the process may open \(descriptorMax) descriptors")
        }
        let security = try configuration.tls.map { try ServerSecurity($0) }
        let (opened, secureCount) = try Listener.open(configuration, engine.loops[0].system)
        let context = ServerContext(configuration, router: router, pool: engine.pool)
        let states = engine.loops.map(LoopState.init)
        let lifecycle = ServerLifecycle()
        self.router = router
        self.engine = engine
        self.context = context
        self.states = states
        self.lifecycle = lifecycle
        self.security = security
        self.secureCount = secureCount
        reach = ServerReach(configuration, context.events)
        addresses = opened.map(\.address)
        let acceptors = opened.enumerated().map { index, listener in
            Acceptor(
                listener, server: context, states: states,
                security: index < secureCount ? security : nil
            ) { lifecycle.noteQuiet() }
        }
        listeners = ServerListeners(acceptors: acceptors, backlog: configuration.backlog)
        for state in states { state.reportStalls(to: context.log, router: router) }
    }

    /// How many connections there are.
    package var connectionCount: Int { context.connections.count }

    deinit {
        // Nobody has run it, or ever will: the port is free again.
        guard !lifecycle.hasBegun else { return }
        listeners.stop()
    }

    /// What happens from now on; see ``Event``.
    public func events() -> AsyncStream<Event> { context.events.listen() }

    /// Answers requests until the task is cancelled or ``stop(within:)`` is called.
    ///
    /// Cancelling is the same as stopping within ``Configuration/drainTimeout``. A server runs
    /// once: a second call throws ``HTTPServerError``.
    public func run() async throws {
        let root = try start {}
        await withTaskCancellationHandler {
            await root.value
        } onCancel: {
            requestStop()
        }
    }

    /// Starts the threads and the one unstructured task.
    ///
    /// Requests are to end in order although run's caller may be cancelled, so their tasks can't be
    /// its children. The closure is called when the server has ended.
    @discardableResult
    func start(hasEnded: @escaping @Sendable () -> Void) throws -> Task<Void, Never> {
        try lifecycle.begin()
        do throws(Errno) {
            try engine.start()
        } catch {
            giveUp()
            throw error
        }
        return Task(executorPreference: states[0].loop) { [self] in
            await serve()
            engine.stop()
            context.events.send(.stopped)
            context.events.finish()
            lifecycle.end()
            hasEnded()
        }
    }

    /// Not all threads could be had: ends those that run, and frees the ports.
    private func giveUp() {
        listeners.stop()
        engine.stop()
        context.events.finish()
        lifecycle.end()
    }

    /// Stops: no new connections, idle ones closed, requests under way answered, all within a time.
    ///
    /// What is not done then is cut. Returns when ``run()`` has ended. A second call while the
    /// first waits cuts at once.
    public func stop(within duration: Duration = .seconds(30)) async {
        lifecycle.requestStop(within: duration)
        // Whoever runs it later finds that it is to stop.
        guard lifecycle.hasBegun else { return }
        await lifecycle.waitForEnd()
    }

    /// Asks the server to stop within the configured time, from any thread.
    var requestStop: @Sendable () -> Void {
        { [lifecycle, duration = context.configuration.drainTimeout] in
            lifecycle.requestStop(within: duration)
        }
    }

    /// The life of the server, on the first loop.
    private func serve() async {
        // Before any connection can come.
        let connected = context.configuration.lifecycle.map {
            ($0, context.connectedState.changes())
        }
        await withDiscardingTaskGroup { group in
            if let (app, connections) = connected {
                group.addTask(executorPreference: states[0].loop) { [self] in
                    await follow(app, connections: connections)
                }
            }
            for acceptor in listeners.acceptors {
                group.addTask(executorPreference: states[0].loop) { await acceptor.run() }
            }
            group.addTask(executorPreference: states[0].loop) { [context, states] in
                await context.connectedState.watch(on: states[0].loop)
            }
            group.addTask(executorPreference: states[0].loop) { [self] in await reloadOnRequest() }
            let interval = context.configuration.progressInterval.nanoseconds
            for state in states where interval > 0 {
                group.addTask(executorPreference: state.loop) { [context] in
                    await state.watchProgress(every: interval, context.events)
                }
            }
            reach.begin(at: addresses)
            context.events.send(.started)
            let duration = await lifecycle.waitForStop()
            context.events.send(.stopping)
            context.connectedState.noteEnding()
            listeners.stop()
            reach.end()
            let goodbye = states[0].loop.now &+ 1_000_000_000
            await onEachLoop { $0.beginDraining() }
            if duration > .zero { await tellOfOpenConnections() }
            await waitUntilQuiet(within: duration.nanoseconds)
            await onEachLoop { $0.interruptAll() }
            await reach.waitForEnd(on: states[0].loop, until: goodbye)
            group.cancelAll()
        }
    }

    /// Says what is waited for, to who wonders why the server doesn't end.
    private func tellOfOpenConnections() async {
        var count = 0
        for state in states {
            count += (try? await state.loop.confine { state.busyCount }) ?? 0
        }
        guard count > 0 else { return }
        let connections = count == 1 ? "1 connection" : "\(count) connections"
        context.log(.notice, "stopping: \(connections) open; again to end at once")
    }

    func onEachLoop(_ body: @escaping @Sendable (LoopState) -> Void) async {
        for state in states {
            // It throws only what the closure throws: nothing.
            try? await state.loop.confine { body(state) }
        }
    }

    private func waitUntilQuiet(within nanoseconds: UInt64) async {
        let loop = states[0].loop
        let (context, lifecycle) = (context, lifecycle)
        guard context.connections.count > 0, nanoseconds > 0 else { return }
        await withTaskGroup { group in
            group.addTask { try? await loop.sleep(until: loop.now &+ nanoseconds) }
            group.addTask {
                await lifecycle.waitForQuiet { context.connections.count == 0 }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
