import WharfHTTP
import WharfNet

/// One call of a client: as many requests as it takes until there is an answer to deliver.
struct ClientCall {
    let client: HTTPClient
    let request: HTTPClient.Request
    let deadline: CallDeadline

    private enum Outcome<Value> {
        case done(Result<Value, any Error>)
        case again
    }

    /// Runs the exchange, and lends its answer to a closure.
    func run<Value>(_ body: (HTTPClient.Response) async throws -> Value) async throws -> Value {
        var exchange = makeExchange()
        while true {
            switch try await attempt(&exchange, body) {
            case .done(let result): return try result.get()
            case .again: continue
            }
        }
    }

    func makeExchange() -> ClientExchange {
        var fields = request.fields
        if let agent = client.configuration.userAgent, !fields.contains(.userAgent) {
            fields[.userAgent] = agent
        }
        let body: ClientExchange.Body =
            request.body.isNone
            ? .none
            : .some(length: request.body.length, isRepeatable: request.body.isRepeatable)
        return ClientExchange(
            request.method, request.url, fields: fields, body: body,
            rules: client.configuration.rules, hashing: .wharf)
    }

    // MARK: One attempt

    private func attempt<Value>(
        _ exchange: inout ClientExchange, _ body: (HTTPClient.Response) async throws -> Value
    ) async throws -> Outcome<Value> {
        let now = client.loop.system.unixTime()
        let attempt = client.memory.withLock { exchange.attempt(&$0, now: now) }
        let wire = try await open(attempt)
        var copy = exchange
        let outcome: Outcome<Value> = await withTaskGroup(of: Void.self) { group in
            if await mustRun(wire) { group.addTask { await wire.sender.run() } }
            let beginning = await beginning(wire)
            let outcome = await settle(beginning, wire, attempt, &copy, body)
            if await !wantsRest(beginning, outcome) { group.cancelAll() }
            await group.waitForAll()
            return outcome
        }
        exchange = copy
        await close(wire, attempt, outcome)
        return outcome
    }

    /// Connects, or takes a connection that was kept, and puts the request's head on it.
    func open(_ attempt: ClientExchange.Attempt, isUpgrade: Bool = false) async throws
        -> WireExchange
    {
        try await client.loop.confine { [client, request, deadline] in
            let connection = try await client.lease(attempt, deadline, isFresh: isUpgrade)
            connection.useCount += 1
            deadline.watch(connection.socket)
            return WireExchange(
                connection, attempt, request, client, deadline, isUpgrade: isUpgrade)
        }
    }

    private func mustRun(_ wire: WireExchange) async -> Bool {
        // It throws nothing: not to have run at once is the safe answer.
        (try? await client.loop.confine { !wire.sender.sendAtOnce() }) ?? true
    }

    private func beginning(_ wire: WireExchange) async -> Result<WireExchange.Beginning, any Error>
    {
        do {
            return .success(try await client.loop.confine { try await wire.readHead() })
        } catch {
            return .failure(error)
        }
    }

    private func settle<Value>(
        _ beginning: Result<WireExchange.Beginning, any Error>, _ wire: WireExchange,
        _ attempt: ClientExchange.Attempt, _ exchange: inout ClientExchange,
        _ body: (HTTPClient.Response) async throws -> Value
    ) async -> Outcome<Value> {
        switch beginning {
        case .failure(let error):
            return await mayRetry(error, wire, attempt, &exchange) ? .again : .done(.failure(error))
        case .success(let beginning):
            do {
                let decision = try decide(beginning, attempt, &exchange)
                let reader = try await client.loop.confine { wire.makeReader(beginning.head) }
                guard decision == .deliver else { return .again }
                let response = HTTPClient.Response(
                    head: beginning.head.response, url: attempt.url, interim: beginning.interim,
                    body: HTTPClient.ResponseBody(reader: reader))
                return .done(.success(try await body(response)))
            } catch {
                return .done(.failure(HTTPClientError.wrap(error, while: "the answer was read")))
            }
        }
    }

    func decide(
        _ beginning: WireExchange.Beginning, _ attempt: ClientExchange.Attempt,
        _ exchange: inout ClientExchange
    ) throws -> ClientExchange.Decision {
        let now = client.loop.system.unixTime()
        return try client.memory.withLock { memory in
            try exchange.take(
                beginning.head.response, to: attempt, hasBegunBody: beginning.hasBegunBody,
                &memory, now: now)
        }
    }

    private func mayRetry(
        _ error: any Error, _ wire: WireExchange, _ attempt: ClientExchange.Attempt,
        _ exchange: inout ClientExchange
    ) async -> Bool {
        guard (error as? HTTPClientError)?.kind == .connectionLost else { return false }
        let facts = try? await client.loop.confine { [client] in
            client.connections.discard(attempt.url.origin)
            return (wire.connection.isKept, wire.hasAnswerBytes, wire.sender.hasBegun)
        }
        guard let (isKept, hasAnswerBytes, hasBegunBody) = facts else { return false }
        return exchange.mayRetry(
            isKeptConnection: isKept, hasAnswerBytes: hasAnswerBytes, hasBegunBody: hasBegunBody)
    }

    /// Whether what is left of the request's body is to be sent, now that there is an answer.
    ///
    /// RFC 9112 §9.5: after an error it is not. Nor when the request will be sent anew.
    private func wantsRest<Value>(
        _ beginning: Result<WireExchange.Beginning, any Error>, _ outcome: Outcome<Value>
    ) async -> Bool {
        guard case .success(let beginning) = beginning, case .done(.success) = outcome else {
            return false
        }
        return beginning.head.response.status.code < 300
    }

    private func close<Value>(
        _ wire: WireExchange, _ attempt: ClientExchange.Attempt, _ outcome: Outcome<Value>
    ) async {
        let isAgain = if case .again = outcome { true } else { false }
        // It throws nothing.
        try? await client.loop.confine { [client, deadline] in
            if wire.sender.wasLeftWaiting {
                client.memory.withLock { $0.noteNoContinue(attempt.url.origin) }
            }
            let isReusable = await wire.end(mayWait: isAgain)
            deadline.watch(nil as Socket?)
            client.giveBack(wire.connection, isReusable: isReusable)
        }
    }
}
