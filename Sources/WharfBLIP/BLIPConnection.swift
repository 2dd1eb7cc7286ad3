import WharfBLIPEngine
public import WharfNet
public import WharfServer

/// A BLIP connection, at either end of it.
///
/// Both ends send requests at any time; replies come as they are ready.
///
///     let reply = try await connection.send(BLIPMessage(profile: "time"))
public final class BLIPConnection: Sendable {
    let link: BLIPLink
    /// Who is at the other end, if this is a server's.
    public let peer: Peer?
    /// Who the other end has proved to be; `nil`: nobody was asked to.
    public let user: AuthenticatedUser?
    /// How it is secured, and by which certificate the other end is known, where BLIP 1.1 is served
    /// over TLS; else `nil`.
    public let security: TLSSession?

    init(
        _ link: BLIPLink, peer: Peer? = nil, user: AuthenticatedUser? = nil,
        security: TLSSession? = nil
    ) {
        self.link = link
        self.peer = peer
        self.user = user
        self.security = security
    }

    // MARK: Requests

    /// Sends a request, and returns the reply when it is there whole.
    ///
    /// While the connection is being opened, the request waits for that. A reply may tell of an error:
    /// see ``BLIPReply/error``. Throws ``BLIPConnectionError`` when none will come,
    /// `CancellationError`, and what a closure throws that writes the body.
    ///
    /// A task that is cancelled does not wait for the reply. If its request was not sent, it isn't; if
    /// some of it was, the rest follows; but a body that is being written can't be ended before its end
    /// without closing the connection: no version of BLIP can take back what has begun.
    public func send(
        _ message: BLIPMessage, progress: BLIPProgress.Observer? = nil
    ) async throws -> BLIPReply {
        let pending = try await link.loop.confine { [link] in
            try await link.ask(message, isStreamed: false, progress)
        }
        let written = await write(message, pending.number)
        let (head, body) = try await link.loop.confine { [link] in
            defer { link.forget(pending) }
            try written.get()
            let inbox = try await link.wait(for: pending)
            return (pending.head ?? BLIPMessageHead(), link.takeWhole(inbox))
        }
        return BLIPReply(head: head, body: body, userValue: message.userValue)
    }

    /// Sends a request, and lends the reply to a closure, which reads its body as it comes.
    ///
    /// No more of it is sent than the closure reads; what it leaves is dropped. A request's body that a
    /// closure writes is written meanwhile. Throws as ``send(_:progress:)`` does, and what the closure
    /// throws.
    public func withReply<Value: Sendable>(
        to message: BLIPMessage, progress: BLIPProgress.Observer? = nil,
        _ use: (BLIPReply, BLIPBody) async throws -> Value
    ) async throws -> Value {
        let pending = try await link.loop.confine { [link] in
            try await link.ask(message, isStreamed: true, progress)
        }
        let result = await withTaskGroup(
            of: Void.self, returning: Result<Value, any Error>.self
        ) { group in
            // What goes wrong with it is told to who waits for the reply.
            group.addTask { _ = await self.write(message, pending.number) }
            let result = await catching { try await read(pending, message, use) }
            group.cancelAll()
            return result
        }
        try await link.loop.confine { [link] in link.forget(pending) }
        return try result.get()
    }

    private func read<Value>(
        _ pending: PendingReply, _ message: BLIPMessage,
        _ use: (BLIPReply, BLIPBody) async throws -> Value
    ) async throws -> Value {
        let (head, inbox) = try await link.loop.confine { [link] in
            let inbox = try await link.wait(for: pending)
            return (pending.head ?? BLIPMessageHead(), inbox)
        }
        let reply = BLIPReply(head: head, body: [], userValue: message.userValue)
        return try await use(reply, BLIPBody(inbox: inbox, link: link))
    }

    /// Sends a request that wants no reply; returns when it is queued, or its body written.
    ///
    /// Throws as ``send(_:progress:)`` does.
    public func sendWithoutReply(
        _ message: BLIPMessage, progress: BLIPProgress.Observer? = nil
    ) async throws {
        let number = try await link.loop.confine { [link] in try await link.tell(message, progress)
        }
        try await write(message, number).get()
    }

    /// Writes a request's body, if it is not there whole.
    private func write(_ message: BLIPMessage, _ number: UInt64) async -> Result<Void, any Error> {
        guard let write = message.writing else { return .success(()) }
        let result = await catching {
            try await write(BLIPBodyWriter(id: .request(number), link: link))
        }
        // It throws nothing itself.
        try? await link.loop.confine { [link] in
            if let failure = result.thrown {
                link.giveUpRequest(number, failure)
            } else {
                link.finishWriting(.request(number))
            }
        }
        return result
    }

    // MARK: Closing

    /// Closes when everything that is under way is done, and waits for that; nothing new may be sent.
    ///
    /// BLIP 1.1 and 2 ask the other end first, which may refuse: throws the ``BLIPError`` that it gives,
    /// and the connection goes on. Throws ``BLIPConnectionError`` when it has ended already.
    public func closeWhenDone() async throws {
        try await link.loop.confine { [link] in try await link.closeWhenDone() }
    }

    /// Closes at once, with a code for a WebSocket; what is under way fails.
    ///
    /// BLIP 1.1 has no codes: any but 1000 resets the connection.
    public func close(_ code: UInt16 = 1000, reason: String = "") async {
        // It throws nothing itself.
        try? await link.loop.confine { [link] in link.close(code, reason) }
    }

    // MARK: State

    /// Whether something is under way, either way.
    public var isActive: Bool {
        get async {
            (try? await link.loop.confine { [link] in !link.engine.isIdle || link.busyCount > 0 })
                ?? false
        }
    }

    /// What it has done so far.
    public var statistics: BLIPStatistics {
        get async {
            let tally = try? await link.loop.confine { [link] in
                var tally = link.tally
                tally.heldCount = link.engine.heldCount
                return tally
            }
            return tally ?? BLIPStatistics()
        }
    }
}
