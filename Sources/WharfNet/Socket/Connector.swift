/// Opens connections from a loop: to addresses, or to a name whose addresses it races.
package struct Connector: Sendable {
    package let loop: EventLoop
    /// Where names are looked up, as that blocks.
    package let pool: BlockingPool

    /// RFC 8305 §5: what the present attempt has ahead of the next one, in nanoseconds.
    private static let headStart: UInt64 = 250_000_000

    package init(loop: EventLoop, pool: BlockingPool) {
        self.loop = loop
        self.pool = pool
    }

    /// Connects to a name or to a numeric address, by `deadline` in the loop's nanoseconds.
    ///
    /// The socket belongs to the loop. Throws ``NameLookupError``, `CancellationError`, or the
    /// ``Errno`` of the attempt that failed last: `ETIMEDOUT` past the deadline.
    package func connect(host: String, port: UInt16, deadline: UInt64) async throws -> Socket {
        if let address = SocketAddress(numeric: host, port: port) {
            return try await connect(to: [address], deadline: deadline)
        }
        return try await loop.confine { [self] in
            let addresses = try await loop.addresses(
                of: host, port: port, pool: pool, until: deadline)
            return try await race(Self.alternating(addresses), until: deadline)
        }
    }

    /// Connects to the first of some addresses that answers; they are tried in their order.
    ///
    /// Throws as ``connect(host:port:deadline:)`` does, `EHOSTUNREACH` when there are none.
    package func connect(to addresses: [SocketAddress], deadline: UInt64) async throws -> Socket {
        try await loop.confine { [self] in try await race(addresses, until: deadline) }
    }

    /// RFC 8305 §4: the families take turns, IPv6 first; each keeps the order of its own.
    static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        var first = addresses.filter { if case .ipv6 = $0 { true } else { false } }[...]
        var second = addresses.filter { if case .ipv6 = $0 { false } else { true } }[...]
        var order: [SocketAddress] = []
        while order.count < addresses.count {
            if let address = first.popFirst() { order.append(address) }
            if let address = second.popFirst() { order.append(address) }
        }
        return order
    }

    // MARK: The race

    private enum Step: Sendable {
        case connected(Socket)
        case failed(any Error)
        /// The attempt of that number has had its head start.
        case due(Int)
    }

    private func race(_ addresses: [SocketAddress], until deadline: UInt64) async throws -> Socket {
        let result = await withTaskGroup(of: Step.self, returning: Result<Socket, any Error>.self) {
            group in
            var rest = addresses[...]
            var startedCount = 0
            var runningCount = 0
            var mayStart = true
            var failure: any Error = Errno.unknownHost
            while true {
                if mayStart, let address = rest.popFirst() {
                    mayStart = false
                    startedCount += 1
                    runningCount += 1
                    group.addTask { await attempt(address, until: deadline) }
                    if !rest.isEmpty {
                        group.addTask { [startedCount] in await headStart(of: startedCount) }
                    }
                }
                guard runningCount > 0, let step = await group.next() else { break }
                switch step {
                case .connected(let socket):
                    group.cancelAll()
                    for await late in group {
                        if case .connected(let loser) = late { loser.close() }
                    }
                    return .success(socket)
                case .failed(let error):
                    runningCount -= 1
                    failure = error
                    mayStart = true
                case .due(let number):
                    if number == startedCount { mayStart = true }
                }
            }
            group.cancelAll()
            return .failure(failure)
        }
        if Task.isCancelled {
            if case .success(let socket) = result { socket.close() }
            throw CancellationError()
        }
        return try result.get()
    }

    private func headStart(of number: Int) async -> Step {
        // Cancelled: somebody has won, or all have failed, and nobody asks.
        try? await loop.sleep(until: loop.now &+ Self.headStart)
        return .due(number)
    }

    // MARK: One attempt

    private func attempt(_ address: SocketAddress, until deadline: UInt64) async -> Step {
        do {
            return .connected(try await open(address, until: deadline))
        } catch {
            return .failed(error)
        }
    }

    private func open(_ address: SocketAddress, until deadline: UInt64) async throws -> Socket {
        try Task.checkCancellation()
        guard loop.now < deadline else { throw Errno.timedOut }
        let descriptor = Int32(try loop.system.socket(for: address).get())
        var isConnecting = false
        // Before it is registered: a poller calls a socket that has not begun to connect broken.
        if case .failure(let error) = loop.system.connect(descriptor, to: address) {
            guard error == .inProgress else {
                loop.system.close(descriptor)
                throw error
            }
            isConnecting = true
        }
        let socket = try Socket(descriptor, loop: loop)
        guard isConnecting else { return socket }
        socket.noteConnecting()
        do {
            try await finish(socket, until: deadline)
            return socket
        } catch {
            socket.close()
            throw error
        }
    }

    private func finish(_ socket: Socket, until deadline: UInt64) async throws {
        let readiness = await withTaskCancellationHandler {
            await socket.waitWritable(until: deadline)
        } onCancel: {
            loop.interrupt(socket)
        }
        switch readiness {
        case .ready:
            if let error = unsafe loop.system.pendingError(of: socket.descriptor) { throw error }
        case .timedOut: throw Errno.timedOut
        case .interrupted: throw CancellationError()
        case .busy: throw Errno.alreadyWaiting
        }
    }
}
