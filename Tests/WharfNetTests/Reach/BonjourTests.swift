import Testing

@testable import WharfNet

@Suite struct `A Bonjour service` {
    @Test func `has its pairs as strings with their lengths`() {
        let service = BonjourService(text: ["path": "/", "txtvers": "1", "a": ""])
        #expect(service.textRecord == Array("\u{9}txtvers=1\u{2}a=\u{6}path=/".utf8))
        #expect(BonjourService().textRecord == [0])
    }

    @Test(arguments: [
        (BonjourService(name: "Shelf"), true), (BonjourService(name: "Büro \u{1F4DA}"), true),
        (BonjourService(name: String(repeating: "a", count: 63)), true),
        (BonjourService(name: String(repeating: "a", count: 64)), false),
        (BonjourService(name: "a\u{0}b"), false), (BonjourService(type: "_webdav._tcp"), true),
        (BonjourService(type: "_a-1._udp"), true), (BonjourService(type: "http._tcp"), false),
        (BonjourService(type: "_http"), false), (BonjourService(type: "_http._tcp."), false),
        (BonjourService(type: "_._tcp"), false), (BonjourService(type: "_1._tcp"), false),
        (BonjourService(type: "_a,_b._tcp"), false),
        (BonjourService(type: "_abcdefghijklmnop._tcp"), false),
        (BonjourService(type: "_-a._tcp"), false), (BonjourService(text: ["": "a"]), false),
        (BonjourService(text: ["a=b": "a"]), false), (BonjourService(text: ["é": "a"]), false),
        (BonjourService(text: ["a": String(repeating: "b", count: 253)]), true),
        (BonjourService(text: ["a": String(repeating: "b", count: 254)]), false),
        (
            BonjourService(
                text: Dictionary(
                    uniqueKeysWithValues: (0..<6).map {
                        ("k\($0)", String(repeating: "v", count: 240))
                    })), false
        ),
    ])
    func `says what is wrong with it`(service: BonjourService, isRight: Bool) {
        #expect((service.problem == nil) == isRight)
    }
}

/// A directory that does as its script says.
private final class FakeDirectory: ServiceDirectory, @unchecked Sendable {
    // @unchecked: used on the announcer's thread, and looked at when that has ended.

    enum Step { case refuse, register, registerAndDie }

    private(set) var steps: [Step]
    private(set) var registered: [(service: BonjourService, port: UInt16)] = []
    fileprivate(set) var endedCount = 0

    init(_ steps: [Step]) { self.steps = steps }

    func register(
        _ service: BonjourService, port: UInt16, interface: UInt32,
        report: @escaping (Result<String, BonjourError>) -> Void
    ) throws(BonjourError) -> any ServiceRegistration {
        let step = steps.isEmpty ? .register : steps.removeFirst()
        if step == .refuse { throw BonjourError(code: -65537) }
        registered.append((service, port))
        let registration = FakeRegistration(
            self, dies: step == .registerAndDie, report: report)
        return registration
    }
}

private final class FakeRegistration: ServiceRegistration {
    private let directory: FakeDirectory
    private let report: (Result<String, BonjourError>) -> Void
    private let dies: Bool
    private var processCount = 0
    private let poll: ThreadPoll?

    init(
        _ directory: FakeDirectory, dies: Bool,
        report: @escaping (Result<String, BonjourError>) -> Void
    ) {
        self.directory = directory
        self.report = report
        self.dies = dies
        poll = try? ThreadPoll()
        poll?.wake()
    }

    /// It can be read from the start, and until it is processed.
    var descriptor: Int32 { poll?.readEnd ?? -1 }

    func process() throws(BonjourError) {
        processCount += 1
        guard processCount == 1 else {
            throw BonjourError(code: -65563)
        }
        report(.success("Shelf (2)"))
        if !dies { poll?.drain() }
    }

    func end() { directory.endedCount += 1 }
}

@Suite(.timeLimit(.minutes(1))) struct `Announcing` {
    private func run(
        _ directory: FakeDirectory, _ services: [BonjourService] = [BonjourService(name: "Shelf")],
        until isDone: @escaping @Sendable ([BonjourAnnouncer.Report]) -> Bool
    ) async throws -> [BonjourAnnouncer.Report] {
        let (reports, report) = AsyncStream.makeStream(of: BonjourAnnouncer.Report.self)
        let announcer = try BonjourAnnouncer(
            services, port: 80, interface: 0, directory: { () throws(BonjourError) in directory },
            report: { report.yield($0) }, hasEnded: { report.finish() })
        var seen: [BonjourAnnouncer.Report] = []
        for await next in reports {
            seen.append(next)
            if isDone(seen) { announcer.stop() }
        }
        return seen
    }

    private let renamed = BonjourService(name: "Shelf (2)")

    @Test func `tells the name that it got, and takes it back in the end`() async throws {
        let directory = FakeDirectory([.register])
        #expect(try await run(directory) { !$0.isEmpty } == [.registered(renamed)])
        #expect(directory.registered.map(\.port) == [80])
        #expect(directory.endedCount == 1)
    }

    @Test func `goes on when the daemon dies and comes back`() async throws {
        let directory = FakeDirectory([.refuse, .refuse, .registerAndDie, .refuse, .register])
        let started = System.withoutLoop.now()
        let seen = try await run(directory) { $0.count == 5 }
        let took = System.withoutLoop.now() - started
        let service = BonjourService(name: "Shelf")
        #expect(
            seen == [
                .failed(service, BonjourError(code: -65537)), .registered(renamed),
                .failed(service, BonjourError(code: -65563)),
                .failed(service, BonjourError(code: -65537)), .registered(renamed),
            ])
        // 1 s and 2 s at first, then, after a success, 1 s and 2 s again.
        #expect((5_900_000_000...12_000_000_000).contains(took))
        #expect(directory.registered.allSatisfy { $0.service == service })
    }

    @Test func `a service that can't be announced keeps no other from it`() async throws {
        let wrong = BonjourService(type: "nonsense")
        let seen = try await run(FakeDirectory([]), [wrong, BonjourService(name: "Shelf")]) {
            $0.count == 2
        }
        #expect(seen.contains(.registered(renamed)))
        #expect(
            seen.contains {
                if case .failed(wrong, let error) = $0 { return error.code == nil }
                return false
            })
    }

    @Test func `pauses grow to a minute, and begin anew after a success`() {
        var pace = RetryPace()
        let seconds = (0..<9).map { _ in pace.pause() / 1_000_000_000 }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        pace.reset()
        #expect(pace.pause() == 1_000_000_000)
    }
}
