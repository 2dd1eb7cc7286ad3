#if os(Linux)
    import Glibc
    import Testing

    @testable import WharfNet

    /// A router on loopback that answers as a test wants.
    private final class FakeRouter: @unchecked Sendable {
        // @unchecked: the closure and the record are used under the lock.

        let address: SocketAddress
        private let descriptor: Int32
        private let state = Locked((requests: [[UInt8]](), isOpen: true))

        init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) throws {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            self.descriptor = descriptor
            let bound = try unsafe SocketAddress.loopback(port: 0).withRaw {
                unsafe bind(descriptor, $0, $1)
            }
            try #require(bound == 0)
            address = try #require(System.withoutLoop.localAddress(of: descriptor))
            try Thread.start(name: "router") { [state] in
                var bytes = [UInt8](repeating: 0, count: 64)
                while true {
                    var from = sockaddr_storage()
                    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                    let count = unsafe withUnsafeMutablePointer(to: &from) {
                        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            unsafe recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
                        }
                    }
                    guard count > 0, state.withLock({ $0.isOpen }) else { break }
                    let request = Array(bytes.prefix(count))
                    state.withLock { $0.requests.append(request) }
                    guard let reply = answer(request) else { continue }
                    _ = unsafe withUnsafePointer(to: &from) {
                        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            unsafe sendto(descriptor, reply, reply.count, 0, $0, length)
                        }
                    }
                }
                _ = libcClose(descriptor)
            }
        }

        deinit {
            state.withLock { $0.isOpen = false }
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
        }

        var requests: [[UInt8]] { state.withLock { $0.requests } }

        /// Answers as a good router does, with a port and a time.
        static func mapping(_ request: [UInt8], to port: UInt16, seconds: UInt8) -> [UInt8] {
            if request[1] == 0 { return [0, 128, 0, 0, 0, 0, 0, 1, 203, 0, 113, 7] }
            let granted = request[8...].allSatisfy { $0 == 0 } ? 0 : seconds
            return [0, 130, 0, 0, 0, 0, 0, 1, request[4], request[5], UInt8(port >> 8)]
                + [UInt8(port & 255), 0, 0, 0, granted]
        }
    }

    @Suite(.timeLimit(.minutes(1))) struct `A port mapping` {
        /// Runs a mapper until the closure has seen what it wants, and answers all reports.
        private func run(
            _ router: FakeRouter?, until isDone: @escaping @Sendable ([PortMapper.Report]) -> Bool
        ) async throws -> [PortMapper.Report] {
            let (reports, report) = AsyncStream.makeStream(of: PortMapper.Report.self)
            let address = router?.address
            let mapper = try PortMapper(
                port: 8080, seconds: 60, gateway: { address }, report: { report.yield($0) },
                hasEnded: { report.finish() })
            var seen: [PortMapper.Report] = []
            for await next in reports {
                seen.append(next)
                if isDone(seen) { mapper.stop() }
            }
            return seen
        }

        @Test func `is told with the router's address and the port that it gave`() async throws {
            let router = try FakeRouter { FakeRouter.mapping($0, to: 8123, seconds: 60) }
            let seen = try await run(router) { !$0.isEmpty }
            #expect(
                seen == [
                    .mapped(
                        PortMapping(
                            externalAddress: .ipv4(0xCB00_7107, port: 8123), internalPort: 8080,
                            lifetime: .seconds(60), method: .natPMP))
                ])
            // It is ended when the mapper is.
            let end = NATPMPMessage.mappingRequest(internalPort: 8080, externalPort: 0, seconds: 0)
            #expect(router.requests.last == end)
        }

        @Test func `is asked for again at half of its time`() async throws {
            let count = Locked(0)
            let router = try FakeRouter { request in
                // Another port each time, so that each renewal is news.
                let number = count.withLock { count in
                    if request[1] == 2 { count += 1 }
                    return count
                }
                return FakeRouter.mapping(request, to: UInt16(8000 + number), seconds: 2)
            }
            let started = System.withoutLoop.now()
            let seen = try await run(router) { $0.count == 3 }
            let took = System.withoutLoop.now() - started
            #expect(seen.count == 3)
            #expect((1_900_000_000...6_000_000_000).contains(took))
            let renewals = router.requests.filter { $0[1] == 2 && $0[11] != 0 }
            // What was got is what is asked for again.
            #expect(renewals.map { UInt16($0[6]) << 8 | UInt16($0[7]) } == [8080, 8001, 8002])
        }

        @Test func `is asked for anew when the router refuses, and the failure is told once`()
            async throws
        {
            let count = Locked(0)
            let router = try FakeRouter { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number <= 2
                    ? [0, request[1] + 128, 0, 2, 0, 0, 0, 1]
                    : FakeRouter.mapping(request, to: 8080, seconds: 60)
            }
            let seen = try await run(router) { $0.count == 2 }
            guard case .failed(let error) = seen[0], case .mapped = seen[1] else {
                Issue.record("\(seen)")
                return
            }
            #expect(error.description.contains("turned off"))
        }

        @Test func `asks several times when packets are lost`() async throws {
            let count = Locked(0)
            let router = try FakeRouter { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number % 2 == 1 ? nil : FakeRouter.mapping(request, to: 8080, seconds: 60)
            }
            #expect(try await run(router) { !$0.isEmpty }.count == 1)
        }

        @Test func `fails clearly without a router, or with one that knows no NAT-PMP`()
            async throws
        {
            let none = try await run(nil) { !$0.isEmpty }
            guard case .failed(let error) = none.first else {
                Issue.record("\(none)")
                return
            }
            #expect(error.description.contains("no router"))
        }

        @Test func `stops at once while it waits for an answer`() async throws {
            let router = try FakeRouter { _ in nil }
            let started = System.withoutLoop.now()
            let (ended, end) = AsyncStream.makeStream(of: Void.self)
            let address = router.address
            let mapper = try PortMapper(
                port: 8080, seconds: 60, gateway: { address }, report: { _ in },
                hasEnded: { end.finish() })
            while router.requests.isEmpty { await Task.yield() }
            mapper.stop()
            for await _ in ended {}
            #expect(System.withoutLoop.now() - started < 2_000_000_000)
        }
    }
#endif
