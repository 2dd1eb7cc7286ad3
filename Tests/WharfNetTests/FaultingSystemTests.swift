import TestSupport
import Testing
import WharfTesting

@testable import WharfNet

@Suite struct FaultingSystemTests {
    @Test func `the k-th call of a kind fails, and no other`() throws {
        for number in 1...4 {
            let plan = FaultPlan(.socket, number: number, .error(.tooManyOpenFiles))
            let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
            for call in 1...4 {
                switch system.socket(for: .unix(path: "/x")) {
                case .success(let descriptor):
                    #expect(call != number)
                    system.close(Int32(descriptor))
                case .failure(let error):
                    #expect(call == number)
                    #expect(error == .tooManyOpenFiles)
                }
            }
            #expect(plan.count(of: .socket) == 4)
            #expect(plan.count(of: nil) == 4)
            #expect(plan.struckCount == 1)
        }
    }

    @Test func `the k-th call of all fails, whatever its kind, and the log tells which it was`()
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "file")
        let counting = FaultPlan(keepsLog: true)
        #expect(try steps(folder, counting) == nil)
        #expect(counting.log == [.open, .openBeneath, .openBeneath, .status, .read])
        for number in 1...counting.count(of: nil) {
            let plan = FaultPlan(nil, number: number, .error(.accessDenied))
            let failed = try steps(folder, plan)
            // The probe of openat2 may fail for any reason but two.
            #expect(failed == (number == 2 ? nil : .accessDenied))
            #expect(plan.struckCount == 1)
        }
    }

    /// Opens and reads a file: the error that came up.
    private func steps(_ folder: TemporaryFolder, _ plan: FaultPlan) throws -> Errno? {
        let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
        do throws(Errno) {
            let root = try RootedDirectory(path: folder.path, system: system)
            let file = try root.open("file", cachedOnly: false).get()
            var bytes: [UInt8] = [0, 0]
            _ = unsafe try bytes.withUnsafeMutableBytes { bytes in
                unsafe file.handle.read(into: bytes, at: 0, cachedOnly: false)
            }.get()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a plan can be armed and disarmed while calls are made`() throws {
        let plan = FaultPlan()
        let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
        func fails() -> Bool {
            guard case .success(let descriptor) = system.socket(for: .unix(path: "/x")) else {
                return true
            }
            system.close(Int32(descriptor))
            return false
        }
        #expect(!fails())
        plan.arm(.socket, numbers: 2..<4, .error(.noBuffers))
        #expect([fails(), fails(), fails(), fails()] == [false, true, true, false])
        plan.arm(.socket, numbers: 1..<(.max), .error(.noBuffers))
        #expect([fails(), fails()] == [true, true])
        plan.disarm()
        #expect(!fails())
        #expect(plan.count(of: .socket) == 3)
    }

    @Test(arguments: [
        (SystemCall.receive, FaultPlan.Outcome.wouldBlock), (.receive, .short(1)),
        (.send, .wouldBlock), (.send, .short(1)), (.send, .short(0)),
    ])
    func `a call that says EAGAIN or is cut short loses nothing`(
        call: SystemCall, outcome: FaultPlan.Outcome
    ) async throws {
        let folder = try TemporaryFolder()
        for number in 1...3 {
            let plan = FaultPlan(call, number: number, outcome)
            let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
            let loop = EventLoop(system: system, name: "test-loop")
            try loop.start()
            defer { loop.stop() }
            try await loop.confine {
                let (one, other) = try connectedSockets(on: loop, below: folder)
                for round in 0..<3 as Range<UInt8> {
                    let bytes = [UInt8](repeating: round, count: 100)
                    try await one.sendAll(bytes, patience: 1_000_000_000)
                    var received: [UInt8] = []
                    while received.count < 100 {
                        guard await other.waitReadable(until: loop.now + 1_000_000_000) == .ready
                        else { break }
                        received += other.receive(countMax: 1000).1
                    }
                    #expect(received == bytes)
                }
                one.close()
                other.close()
            }
            #expect(plan.struckCount == 1)
        }
    }

    @Test func `a listener that says EAGAIN although a client waits is told again`() async throws {
        let folder = try TemporaryFolder()
        let plan = FaultPlan(.accept, number: 1, .wouldBlock)
        let system = ForwardingSystem(FaultingSystem(try System(), plan: plan))
        let loop = EventLoop(system: system, name: "test-loop")
        try loop.start()
        defer { loop.stop() }
        try await loop.confine {
            let address = SocketAddress.unix(path: folder.path + "/s")
            let listener = try Listener(address, backlog: 1, system: system)
            let socket = try Socket(listener.descriptor, loop: loop)
            let client = Int32(try system.socket(for: address).get())
            _ = try system.connect(client, to: address).get()
            #expect(try socket.accept() == nil)
            #expect(await socket.waitReadable(until: loop.now + 1_000_000_000) == .ready)
            let accepted = try #require(try socket.accept())
            system.close(accepted.descriptor)
            system.close(client)
            socket.close()
        }
    }
}
