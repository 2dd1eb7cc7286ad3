import WharfNet

extension HTTPServer {
    /// Whether clients can connect: from the start until the server is suspended or ends.
    public var isListening: Bool { listeners.isListening }

    /// Closes the listening sockets and gives the ports free; connections go on.
    ///
    /// It does nothing before ``run()``, and when it is suspended already. What announces the
    /// server is taken back as well, which is waited for, a second at most.
    /// ``Configuration/lifecycle`` does this by itself.
    public func suspend() async {
        guard lifecycle.hasBegun else { return }
        let loop = states[0].loop
        // It throws only what the closure throws: nothing.
        let hasChanged = try? await loop.confine { [listeners, reach] in
            guard listeners.suspend() else { return false }
            reach.end()
            // Nothing may run any more when this returns.
            await reach.waitForEnd(on: loop, until: loop.now &+ 1_000_000_000)
            return true
        }
        if hasChanged == true { context.events.send(.suspended) }
    }

    /// Listens again after ``suspend()``, at the same addresses and ports.
    ///
    /// Throws ``WharfNet/Errno``, `EADDRINUSE` when another program has a port now; the server then
    /// stays suspended, and it can be tried again. `ECANCELED`: it is ending.
    public func resume() async throws {
        guard lifecycle.hasBegun else { return }
        let hasChanged = try await states[0].loop.confine { [listeners, reach, addresses] in
            guard try listeners.resume() else { return false }
            reach.begin(at: addresses)
            return true
        }
        if hasChanged { context.events.send(.resumed) }
    }

    /// Does what the life of the app asks for, until the task is cancelled.
    ///
    /// `connections` tells whether there are any.
    func follow(_ app: any AppLifecycle, connections: AsyncStream<Bool>) async {
        var rules = SuspensionRules(suspends: context.configuration.suspendsInBackground)
        let (inputs, input) = AsyncStream.makeStream(of: SuspensionRules.Input.self)
        await withDiscardingTaskGroup { group in
            let loop = states[0].loop
            group.addTask(executorPreference: loop) {
                for await event in app.events() { input.yield(SuspensionRules.Input(event)) }
            }
            group.addTask(executorPreference: loop) {
                for await isConnected in connections {
                    input.yield(isConnected ? .connected : .disconnected)
                }
            }
            for await next in inputs {
                var told = [next]
                while let one = told.popLast() {
                    for step in rules.take(one) {
                        // What comes of it is told before anything else that happens.
                        if let answer = await carryOut(step, app, input, &group) {
                            told.append(answer)
                        }
                    }
                }
            }
            group.cancelAll()
        }
        if rules.hasTime { await app.endBackgroundTime() }
    }

    /// Does one thing, and says what came of it if the rules want to know.
    private func carryOut(
        _ step: SuspensionRules.Step, _ app: any AppLifecycle,
        _ input: AsyncStream<SuspensionRules.Input>.Continuation, _ group: inout DiscardingTaskGroup
    ) async -> SuspensionRules.Input? {
        switch step {
        case .keepIdle(let keepsIdle): await onEachLoop { $0.setKeepsIdle(keepsIdle) }
        case .beginTime:
            if await !app.beginBackgroundTime() {
                context.log(.notice, "there is no time in the background")
                return .timeRefused
            }
        case .endTime: await app.endBackgroundTime()
        case .suspend: await suspend()
        case .cut: await onEachLoop { $0.cutAll() }
        case .resume: return await tryToResume() ? .resumed : .resumeFailed
        case .retry(let duration, let number):
            let loop = states[0].loop
            group.addTask(executorPreference: loop) {
                let time = loop.now &+ duration.nanoseconds
                guard (try? await loop.sleep(until: time)) != nil else { return }
                input.yield(.retryIsDue(number: number))
            }
        }
        return nil
    }

    private func tryToResume() async -> Bool {
        do {
            try await resume()
            return true
        } catch {
            let places = addresses.map(\.description).joined(separator: ", ")
            context.log(.error, "cannot listen again on \(places): \(error)")
            context.events.send(.resumeFailed(error as? Errno ?? .cancelled))
            return false
        }
    }
}

extension SuspensionRules.Input {
    fileprivate init(_ event: AppEvent) {
        switch event {
        case .enteredBackground: self = .enteredBackground
        case .enteringForeground: self = .enteringForeground
        case .backgroundTimeIsUp: self = .timeIsUp
        }
    }
}
