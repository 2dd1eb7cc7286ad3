import WharfBLIPEngine
import WharfNet
public import WharfWebSocket

extension BLIPConnection {
    /// Speaks BLIP over a WebSocket while a closure runs, answers the other end's requests meanwhile,
    /// and closes when all is done.
    ///
    /// Throws what the closure throws, and ``BLIPConnectionError`` when the two ends have not agreed on
    /// BLIP.
    public static func run<Value: Sendable>(
        over socket: WebSocket, _ dispatcher: BLIPDispatcher = BLIPDispatcher(),
        options: BLIPOptions = BLIPOptions(),
        _ body: (BLIPConnection) async throws -> Value
    ) async throws -> Value {
        let version = try options.version(of: socket.subprotocol)
        let link = BLIPLink(options.settings(dispatcher), loop: socket.loop)
        let connection = BLIPConnection(link)
        return try await connection.run(
            { link in try await link.carry(WebSocketTransport(socket), version) }, body)
    }

    /// Runs a link over what a closure opens, and a closure with the connection.
    func run<Value: Sendable>(
        _ carry: @escaping @Sendable (BLIPLink) async throws -> Void,
        _ body: (BLIPConnection) async throws -> Value
    ) async throws -> Value {
        try await withTaskGroup(of: Void.self, returning: Result<Value, any Error>.self) { group in
            group.addTask { [link] in
                let carried = await catching { try await carry(link) }
                // It throws nothing itself.
                try? await link.loop.confine { link.end(carried.thrown) }
            }
            // It throws when it is cancelled only.
            group.addTask { [self, link] in try? await link.dispatch(for: self) }
            let result = await catching { try await body(self) }
            if let failure = result.thrown {
                await close(failure is CancellationError ? 1001 : 1011)
            } else {
                await closeInTime()
            }
            // It throws nothing itself, and ends when the connection does.
            try? await link.loop.confine { [link] in
                while link.state != .over { await link.ending.waitUncancelled() }
            }
            group.cancelAll()
            return result
        }.get()
    }
}

extension BLIPConnection {
    /// Closes when all is done, and when that takes too long, or the other end refuses, all the same.
    private func closeInTime() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.closeWhenDone() }
            group.addTask { [link] in
                // Whoever waits for what never comes is not to keep the connection for ever.
                try? await link.loop.confine { [link] in
                    let patience = link.settings.drainTimeout
                    try await link.loop.sleep(until: link.loop.now &+ patience)
                }
            }
            await group.next()
            group.cancelAll()
        }
        await close()
    }
}

/// What an operation came to.
func catching<Value>(_ operation: () async throws -> Value) async -> Result<Value, any Error> {
    do {
        return .success(try await operation())
    } catch {
        return .failure(error)
    }
}

extension Result {
    var thrown: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension BLIPLink {
    /// Receives and sends over a transport until the connection has ended; on its loop.
    func carry(_ transport: any BLIPTransport, _ version: BLIPVersion) async throws {
        try await loop.confine { [self] in
            open(version)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in await send(transport) }
                await receive(transport)
                group.cancelAll()
            }
        }
    }

    /// Serves a connection that somebody else has opened, until the other end closes it.
    ///
    /// What `use` throws is its own affair: the connection goes on.
    func serve(
        _ transport: any BLIPTransport, _ version: BLIPVersion, _ connection: BLIPConnection,
        _ use: (@Sendable (BLIPConnection) async throws -> Void)?
    ) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                try? await carry(transport, version)
                try? await loop.confine { [self] in end(nil) }
            }
            if let use { group.addTask { try? await use(connection) } }
            try? await dispatch(for: connection)
            group.cancelAll()
        }
    }
}
