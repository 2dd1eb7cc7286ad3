package import WharfNet
package import WharfServer

/// Loops, a pool and a test that one thread drives, in an order that comes from a seed.
///
/// Nothing in it waits: when nothing can run, the virtual clock jumps to the next deadline. The same
/// seed does the same in the same order, as ``SimulatedNetwork/trace`` tells.
@safe package final class Simulation: @unchecked Sendable {
    // @unchecked: used by one thread at a time: the one that makes it, then the one that drives.

    package let seed: UInt64
    package let network: SimulatedNetwork
    /// The loops of the server.
    package let loops: [EventLoop]
    /// The loop of the test and its clients.
    package let clientLoop: EventLoop
    /// The pool for the server's handlers.
    package let pool: BlockingPool
    /// The clients' system, which knows where they connect from.
    package let clients: SimulatedSystem
    /// For the files of the server's handlers.
    package let files: System

    private enum Actor {
        case loop(Int), pool, network
    }

    private let filter: String
    private let allLoops: [EventLoop]
    private let pollers: [any ReadinessReporting]
    private var random: SeededRandom
    private var body: UnsafeCurrentTask?
    private var hasEnded = false
    private var problem: String?
    private var lastEvents: String?
    private var stepsSinceJump = 0
    private var candidates: [Actor] = []

    /// More steps than this at one moment, and something spins.
    private static let stepMax = 4_000_000

    /// Makes it for a seed; `filter` is what `swift test --filter` finds the test by.
    ///
    /// `faults` bears on the server's loops and files.
    package init(seed: UInt64, filter: String, loopCount: Int = 1, faults: FaultPlan? = nil) {
        var random = SeededRandom(seed: seed)
        let network = SimulatedNetwork(
            random: random.fork(), now: UInt64(1_000_000_000 + random.below(1_000_000_000)))
        func calls() -> any SystemCalls & ReadinessReporting {
            let system = SimulatedSystem(network)
            return faults.map { FaultingSystem(system, plan: $0) } ?? system
        }
        let pool = BlockingPool(
            clock: ForwardingSystem(SimulatedSystem(network)), isDriven: true)
        var loops: [EventLoop] = []
        var pollers: [any ReadinessReporting] = []
        for _ in 0..<loopCount {
            let calls = calls()
            pollers.append(calls)
            loops.append(EventLoop(system: ForwardingSystem(calls), pool: pool))
        }
        clients = SimulatedSystem(network)
        clientLoop = EventLoop(system: ForwardingSystem(clients))
        files = ForwardingSystem(calls())
        self.pollers = pollers + [clients]
        self.seed = seed
        self.filter = filter
        self.network = network
        self.loops = loops
        self.random = random
        self.pool = pool
        allLoops = loops + [clientLoop]
    }

    /// What a server of this simulation runs on.
    package var engine: ServerEngine { ServerEngine(loops: loops, pool: pool, isDriven: true) }

    /// Runs the closure on the clients' loop, drives everything until it has ended and nothing is
    /// left to run, and returns what it returns, or throws what it throws as a ``SimulationFailure``.
    ///
    /// When nothing can run and no deadline is armed, everything is interrupted, and that is the failure.
    package func run<Value: Sendable>(
        _ operation: @escaping @concurrent @Sendable () async throws -> Value
    ) async throws(SimulationFailure) -> Value {
        let result = await withTaskGroup(of: Result<Value, any Error>.self) { group in
            group.addTask(executorPreference: clientLoop) { [self] in
                unsafe withUnsafeCurrentTask { unsafe body = $0 }
                defer { hasEnded = true }
                do {
                    return .success(try await operation())
                } catch {
                    return .failure(error)
                }
            }
            await withCheckedContinuation { continuation in
                let driving: @Sendable () -> Void = { [self] in
                    drive()
                    continuation.resume()
                }
                do throws(Errno) {
                    try Thread.start(name: "wharf-simulation", driving)
                } catch {
                    driving()
                }
            }
            return await group.next()
        }
        if let problem { throw failure(problem) }
        switch result {
        case .success(let value)?: return value
        case .failure(let error)?: throw failure("\(error)")
        case nil: throw failure("the test did not run")
        }
    }

    /// A failure at what has been reached, with what replays it.
    package func failure(_ what: String) -> SimulationFailure {
        SimulationFailure(
            seed: seed, filter: filter, what: what,
            lastEvents: lastEvents ?? network.trace.lastLines)
    }

    /// Remembers what has happened last, for the failure that is told when all clients have ended.
    ///
    /// Only the first call counts.
    package func noteFailure() {
        lastEvents = lastEvents ?? network.trace.lastLines
    }

    // MARK: Driving

    private func drive() {
        while true {
            findCandidates()
            if candidates.isEmpty {
                if hasEnded { return }
                if !jump() { giveUp("nothing can run, and no deadline is armed") }
            } else if stepsSinceJump > Self.stepMax {
                giveUp("\(stepsSinceJump) steps, and time stands still: something spins")
            } else {
                step(candidates[random.below(candidates.count)])
            }
        }
    }

    private func findCandidates() {
        candidates.removeAll(keepingCapacity: true)
        for index in allLoops.indices where hasWork(index) { candidates.append(.loop(index)) }
        if pool.hasJobs { candidates.append(.pool) }
        if network.hasTraffic { candidates.append(.network) }
    }

    private func hasWork(_ index: Int) -> Bool {
        let loop = allLoops[index]
        return loop.hasJobs || pollers[index].hasReadyEvents
            || loop.wheel.nextTime.map { $0 <= network.now } ?? false
    }

    private func step(_ actor: Actor) {
        stepsSinceJump += 1
        // A little time passes, so that no two things happen at the same moment.
        network.now += 1 + UInt64(random.below(1000))
        switch actor {
        case .loop(let index):
            network.note(.turn, index, 0)
            allLoops[index].turn(mayWait: false)
        case .pool:
            network.note(.pool, 0, 0)
            _ = pool.turn()
        case .network:
            network.deliver()
        }
    }

    /// Moves the clock to the next deadline.
    ///
    /// False when there is none.
    private func jump() -> Bool {
        guard let next = allLoops.compactMap(\.wheel.nextTime).min() else { return false }
        network.now = max(network.now, next + UInt64(random.below(1000)))
        network.note(.jump, 0, 0)
        stepsSinceJump = 0
        return true
    }

    /// Ends everything that can be ended, so that the test can fail in good order.
    private func giveUp(_ what: String) {
        // A second time: somebody waits for what nobody can end, so there is nothing to go on with.
        precondition(problem == nil, "\(failure(problem ?? what))")
        problem = what
        stepsSinceJump = 0
        unsafe body?.cancel()
        for loop in allLoops {
            loop.forEachSocket { loop.interrupt($0) }
        }
    }
}
