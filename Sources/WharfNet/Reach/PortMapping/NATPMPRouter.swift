#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A router that speaks NAT-PMP, over a UDP socket.
final class NATPMPRouter: PortMappingRouter {
    let method = PortMapping.Method.natPMP
    private let descriptor: Int32
    private let poll: ThreadPoll
    private let isStopped: () -> Bool

    /// RFC 6886 §3.1: 250 ms, and then twice as long each time; who doesn't answer in four seconds
    /// in a local network is asked again later, not for a minute at once.
    private static let patience: [UInt64] = [250, 500, 1000, 2000]

    /// Waits end early when `isStopped` says so after a wake.
    ///
    /// Throws when there is no router.
    init(
        at address: SocketAddress?, poll: ThreadPoll, isStopped: @escaping () -> Bool
    ) throws(PortMappingError) {
        self.poll = poll
        self.isStopped = isStopped
        guard let address else { throw PortMappingError("there is no router to ask") }
        #if os(Linux)
            let type = Int32(SOCK_DGRAM.rawValue)
        #else
            let type = SOCK_DGRAM
        #endif
        descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw PortMappingError("no socket: \(Errno.current)") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // Connected: the kernel drops what others than the router send.
        if case .failure(let error) = LiveSockets.connect(descriptor, to: address) {
            throw PortMappingError("the router can't be reached: \(error)")
        }
    }

    deinit { if descriptor >= 0 { _ = libcClose(descriptor) } }

    func map(_ internalPort: UInt16, to externalPort: UInt16, seconds: UInt32)
        throws(PortMappingError) -> PortMapping
    {
        let request = NATPMPMessage.mappingRequest(
            internalPort: internalPort, externalPort: externalPort, seconds: seconds)
        let answer = try ask(request, times: Self.patience) { answer in
            if case .mapping(internalPort, _, _) = answer { return true }
            return false
        }
        guard case .mapping(_, let port, let granted) = answer, port != 0, granted != 0 else {
            throw PortMappingError("the router gave no port")
        }
        let own = try ask(NATPMPMessage.addressRequest, times: Self.patience) { answer in
            if case .address = answer { return true }
            return false
        }
        guard case .address(let bits) = own else {
            throw PortMappingError("the router doesn't tell its address")
        }
        return PortMapping(
            externalAddress: .ipv4(bits, port: port), internalPort: internalPort,
            lifetime: .seconds(Int64(granted)), method: method)
    }

    func unmap(_ mapping: PortMapping) {
        let request = NATPMPMessage.mappingRequest(
            internalPort: mapping.internalPort, externalPort: 0, seconds: 0)
        // The program wants to end: two tries have to do, and the router forgets it in the end.
        _ = try? ask(request, times: [200, 400], mayBeStopped: false) { answer in
            if case .mapping(mapping.internalPort, _, _) = answer { return true }
            return false
        }
    }

    /// Sends a request until it is answered.
    private func ask(
        _ request: [UInt8], times: [UInt64], mayBeStopped: Bool = true,
        isAnswer: (NATPMPMessage.Answer) -> Bool
    ) throws(PortMappingError) -> NATPMPMessage.Answer {
        for milliseconds in times {
            let result = unsafe request.withUnsafeBytes {
                unsafe libcSend(descriptor, $0.baseAddress, $0.count, LiveSockets.sendFlags)
            }
            if result < 0 { try giveUp(Errno.current) }
            let deadline = System.withoutLoop.now() &+ milliseconds &* 1_000_000
            while System.withoutLoop.now() < deadline {
                if mayBeStopped, isStopped() { throw PortMappingError("it was stopped") }
                guard !poll.wait(for: [descriptor], until: deadline).isEmpty,
                    let answer = try receive()
                else { continue }
                if case .refusal(let code) = answer {
                    throw PortMappingError(NATPMPMessage.text(ofCode: code))
                }
                if isAnswer(answer) { return answer }
            }
        }
        throw PortMappingError("the router doesn't answer to NAT-PMP")
    }

    private func receive() throws(PortMappingError) -> NATPMPMessage.Answer? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 {
            if Errno.current.isWouldBlock { return nil }
            try giveUp(Errno.current)
        }
        bytes.removeLast(bytes.count - max(0, count))
        return NATPMPMessage.answer(bytes.span)
    }

    private func giveUp(_ error: Errno) throws(PortMappingError) {
        if error == .connectionRefused {
            throw PortMappingError("the router knows no NAT-PMP")
        }
        throw PortMappingError("the router can't be reached: \(error)")
    }
}
