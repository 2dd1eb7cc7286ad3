import Testing
import WharfTesting

@testable import WharfNet

@Suite(.timeLimit(.minutes(2))) struct `A secured connection whose calls fail` {
    private static let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 2) }

    /// Shakes hands, sends bytes both ways and says goodbye: what each end got, when that was whole.
    private static func play(_ stage: TLSStage) async throws -> [[UInt8]] {
        let (server, client) = try await stage.connect()
        defer {
            server.close()
            client.close()
        }
        let deadline = stage.loop.now + TLSStage.patience
        let (ready, asking) = (try TLSServer.test(), try TLSClient.test())
        async let other: [UInt8]? = {
            guard (try? await server.secure(with: ready, until: deadline)) != nil else {
                server.close()
                return nil
            }
            return await talk(stage, server, isFirst: false)
        }()
        guard
            (try? await client.secure(with: asking, host: "localhost", until: deadline)) != nil
        else {
            client.close()
            return [await other].compactMap(\.self)
        }
        let own = await talk(stage, client, isFirst: true)
        return [own, await other].compactMap(\.self)
    }

    private static func talk(_ stage: TLSStage, _ socket: Socket, isFirst: Bool) async -> [UInt8]? {
        defer { socket.close() }
        func send() async -> Bool {
            guard (try? await socket.sendAll(bytes, patience: TLSStage.patience)) != nil else {
                return false
            }
            await socket.sayGoodbye(patience: TLSStage.patience)
            return true
        }
        if isFirst, await !send() { return nil }
        let (received, last) = await stage.readAll(socket)
        guard case .ended = last else { return nil }
        if !isFirst, await !send() { return nil }
        return received
    }

    @Test(arguments: [SystemCall.receive, .send, .register])
    func `is whole at both ends, or known to be cut`(call: SystemCall) async throws {
        let outcomes: [FaultPlan.Outcome] =
            call == .register
            ? [.error(.outOfMemory)]
            : [.error(.connectionReset), .error(.noBuffers), .short(1), .wouldBlock]
        for outcome in outcomes {
            var number = 0
            var hasStruck = true
            while hasStruck, number < 400 {
                number += 1
                let plan = FaultPlan(call, number: number, outcome)
                let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
                try await TLSStage.run(system) { stage in
                    let received = (try? await Self.play(stage)) ?? []
                    if outcome.isHarmless { #expect(received.count == 2) }
                    for bytes in received { #expect(bytes == Self.bytes) }
                    plan.disarm()
                    let again = try await Self.play(stage)
                    #expect(again.count == 2)
                }
                hasStruck = plan.struckCount > 0
            }
            #expect(number > 2 && number < 400, "\(call) \(outcome): \(number)")
        }
    }

    @Test func `ends a wait to read when nothing can be sent any more`() async throws {
        let plan = FaultPlan()
        let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
        try await TLSStage.run(system) { stage in
            let pair = try await stage.pair(.test(), .test())
            let client = pair.client
            async let read = stage.readAll(client)
            // It waits by then.
            for _ in 0..<100 { await stage.loop.yield() }
            plan.arm(.send, numbers: 1..<2, .error(.noBuffers))
            await #expect(throws: Errno.noBuffers) {
                try await client.sendAll([1], patience: TLSStage.patience)
            }
            let last = await read.last
            if case .failed(let error) = last, error != .timedOut {
            } else {
                Issue.record("it goes on: \(last)")
            }
            client.close()
            pair.server.close()
        }
    }

    @Test func `tells of a file that can't be read, or has become shorter`() async throws {
        for error in [Errno.unreadable, .truncated] {
            let plan = FaultPlan()
            let files = ForwardingSystem(FaultingSystem(try System(), plan: plan))
            let root = try RootedDirectory(path: "/usr/lib", system: files)
            let file = try root.open("os-release", cachedOnly: false).get()
            let length: Int64 = error == .truncated ? 1 << 20 : file.status.size
            if error == .unreadable { plan.arm(.read, numbers: 1..<2, .error(Errno(5))) }
            try await TLSStage.run { stage in
                let pair = try await stage.pair(.test(), .test())
                var thrown: Errno?
                do throws(Errno) {
                    var offset: Int64 = 0
                    while offset < length {
                        let span = FileSpan(file.handle, offset..<length)
                        offset += Int64(try pair.server.sendFile(span, offset..<length) ?? 0)
                    }
                } catch {
                    thrown = error
                }
                #expect(thrown == error)
                pair.server.reset()
                guard case .failed = await stage.readAll(pair.client).last else {
                    Issue.record("the cut file looks whole")
                    return
                }
            }
        }
    }
}
