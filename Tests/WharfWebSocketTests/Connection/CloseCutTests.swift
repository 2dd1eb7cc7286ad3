import Testing
import WharfNet
import WharfTesting

@testable import WharfWebSocket
@testable import WharfWebSocketCodec

/// Close handshakes that end at every byte of what the other end sends, in the simulator.
@Suite(.timeLimit(.minutes(3))) struct `A close handshake that is cut at any byte` {
    enum Asking: CaseIterable { case theirs, ours }
    enum Cut: CaseIterable { case finished, reset }

    private static let close = WebSocketClose(.init(rawValue: 4000), reason: "bye")

    /// A text in two fragments with a ping between them, a Close; and where the text is whole.
    private static func script(for role: WebSocketRole) -> (bytes: [UInt8], textEnd: Int) {
        let key: UInt32? = role == .server ? 0xA1B2_C3D4 : nil
        let text =
            frame(.text, utf8("one "), isFinal: false, key: key)
            + frame(.ping, utf8("?"), key: key) + frame(.continuation, utf8("two"), key: key)
        return (text + frame(.close, [0x0F, 0xA0] + utf8("bye"), key: key), text.count)
    }

    @Test(arguments: [WebSocketRole.client, .server], Asking.allCases)
    func `ends well only when it is whole, and gives no part of a message`(
        role: WebSocketRole, asking: Asking
    ) async throws {
        let (bytes, textEnd) = Self.script(for: role)
        let simulation = Simulation(seed: 1, filter: "CloseCutTests")
        try await simulation.run {
            let loop = simulation.clientLoop
            let address = SocketAddress.loopback(port: 100)
            let listener = try Listener(address, backlog: 10, system: loop.system)
            let accepting = try Socket(listener.descriptor, loop: loop)
            defer { accepting.close() }
            for cut in Cut.allCases {
                for count in 0...bytes.count {
                    let peer = try SimulatedClient(connectingTo: address, in: simulation)
                    let socket = try await Self.accept(accepting)
                    async let leaving: Void = Self.leave(peer, bytes.prefix(count), cut)
                    let words = try await Self.converse(over: socket, role, asking)
                    await leaving
                    peer.close()
                    // What comes after the own Close is dropped.
                    let message = asking == .theirs && count >= textEnd ? "one two, " : ""
                    let end = count == bytes.count ? "closed with \(Self.close)" : "lost"
                    #expect(words == message + end, "\(cut) after \(count)")
                }
            }
        }
    }

    private static func accept(_ accepting: Socket) async throws -> Socket {
        while true {
            if let (descriptor, _) = try accepting.accept() {
                return try Socket(descriptor, loop: accepting.loop)
            }
            _ = await accepting.waitReadable(until: .max)
        }
    }

    /// What comes of one connection for the program.
    private static func converse(
        over socket: Socket, _ role: WebSocketRole, _ asking: Asking
    ) async throws -> String {
        defer { socket.close() }
        let stream = ByteStream(socket, patience: 1_000_000_000)
        let link = WebSocketLink(role, stream, options: WebSocketOptions(), deflate: nil)
        let words = try await link.run {
            let webSocket = WebSocket(link, subprotocol: nil)
            var words = ""
            if asking == .ours { await webSocket.close() }
            do {
                while let message = try await webSocket.receive() {
                    if case .text(let text) = message { words += text + ", " }
                }
                let close = await webSocket.closeReceived
                return words + "closed with \(close ?? WebSocketClose(.noCode))"
            } catch let error as WebSocketConnectionError {
                return words + "\(error.kind)"
            }
        }
        #expect(link.inbound.isEmpty && !link.isWriting && !link.isReceiving)
        return words
    }

    private static func leave(
        _ peer: SimulatedClient, _ bytes: ArraySlice<UInt8>, _ cut: Cut
    ) async {
        _ = await peer.stall(1_000_000)
        try? await peer.send(bytes)
        _ = await peer.stall(1_000_000)
        switch cut {
        case .finished: peer.close()
        case .reset: peer.reset()
        }
    }
}
