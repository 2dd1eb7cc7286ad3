import WharfBLIPEngine
import WharfNet

/// Connections to servers, one for each URL, opened when they are asked for.
///
///     async let running: Void = pool.run()
///     let reply = try await pool.connection(to: url).send(BLIPMessage(profile: "time"))
///
/// A connection that has ended is forgotten: the next one who asks gets a new one.
public final class BLIPPool: Sendable {
    /// What happens, and to the connection of which URL; it is called on their loop: it must not block.
    public typealias Listener = @Sendable (_ url: String, BLIPConnectionEvent) -> Void

    private struct Entry {
        let number: UInt64
        let connection: BLIPConnection
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var nextNumber: UInt64 = 0
        var isClosed = false
    }

    private struct Job: Sendable {
        let url: String
        let address: BLIPAddress
        let number: UInt64
        let connection: BLIPConnection
    }

    private let client: BLIPClient
    private let listener: Listener?
    private let state = Locked(State())
    private let jobs: AsyncStream<Job>
    private let adding: AsyncStream<Job>.Continuation

    /// Makes a pool whose connections a client opens.
    public init(_ client: BLIPClient, _ listener: Listener? = nil) {
        self.client = client
        self.listener = listener
        let made = AsyncStream.makeStream(of: Job.self)
        jobs = made.stream
        adding = made.continuation
    }

    /// Keeps the connections alive until the task is cancelled, or the pool is closed; once only.
    ///
    /// What is sent before it runs waits for it.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask { [self] in await run(job) }
            }
            // Cancelled, or closed: nobody gets a connection that would never be opened.
            await close(1001)
        }
    }

    private func run(_ job: Job) async {
        // What kept it from being opened, or ended it, was told to who used it, and to the listener.
        try? await job.connection.run(client.carry(to: job.address)) { connection in
            try await connection.waitForEnd()
        }
        forget(job.url, job.number)
    }

    private func forget(_ url: String, _ number: UInt64) {
        state.withLock { state in
            if state.entries[url]?.number == number { state.entries[url] = nil }
        }
    }

    /// The connection to a URL, which is opened now if there is none; what is sent meanwhile waits.
    ///
    /// Throws ``BLIPAddressError``, and ``BLIPConnectionError/Kind/closing`` once the pool is closed.
    public func connection(to url: String) throws -> BLIPConnection {
        let address = try BLIPAddress(url)
        let (connection, job) = try state.withLock { state -> (BLIPConnection, Job?) in
            guard !state.isClosed else { throw BLIPConnectionError(.closing) }
            if let entry = state.entries[url] { return (entry.connection, nil) }
            let number = state.nextNumber
            state.nextNumber += 1
            let connection = client.makeConnection { [weak self] event in
                self?.note(event, url, number)
            }
            state.entries[url] = Entry(number: number, connection: connection)
            let job = Job(url: url, address: address, number: number, connection: connection)
            return (connection, job)
        }
        if let job { adding.yield(job) }
        return connection
    }

    private func note(_ event: BLIPConnectionEvent, _ url: String, _ number: UInt64) {
        if case .closed = event { forget(url, number) }
        listener?(url, event)
    }

    /// The connection to a URL, if there is one.
    public func existingConnection(to url: String) -> BLIPConnection? {
        state.withLock { $0.entries[url]?.connection }
    }

    /// Closes all connections with a code, and opens no more.
    public func close(_ code: UInt16 = 1000, reason: String = "") async {
        let connections = state.withLock { state -> [BLIPConnection] in
            state.isClosed = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.connection)
        }
        adding.finish()
        for connection in connections { await connection.close(code, reason: reason) }
    }
}
