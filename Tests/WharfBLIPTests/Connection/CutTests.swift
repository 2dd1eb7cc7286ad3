import Testing
import WharfBLIPEngine
import WharfNet
import WharfTesting

@testable import WharfBLIP
@testable import WharfWebSocket
@testable import WharfWebSocketCodec

/// Connections that end at every byte of what the other end sends, in the simulator.
@Suite(.timeLimit(.minutes(3))) struct `A BLIP connection that is cut at any byte` {
    private static let body = [UInt8](repeating: 65, count: 600)

    /// What the other end sends: a reply in three frames to request 1, the head of the reply to
    /// request 2, a request with a body in two frames; and where the first reply is whole.
    private static func script(_ version: BLIPVersion) throws -> (bytes: [UInt8], replyEnd: Int) {
        var limits = BLIPLimits()
        limits.frameSize = 350
        var engine = BLIPEngine(version, limits: limits)
        var us = BLIPEngine(version)
        for _ in 0..<2 { _ = us.send(BLIPOutgoing(["Profile": "P"])) }
        while let frame = try us.nextFrame() { _ = try engine.receive(frame.bytes) }
        engine.reply(to: 1, BLIPOutgoing(body: body))
        var bytes: [UInt8] = []
        try append(&engine, version, to: &bytes)
        let replyEnd = bytes.count
        engine.reply(to: 2, BLIPOutgoing(["a": "b"], body: [1]), isWhole: false)
        _ = engine.send(BLIPOutgoing(["Profile": "take"], body: body))
        try append(&engine, version, to: &bytes)
        return (bytes, replyEnd)
    }

    static func append(
        _ engine: inout BLIPEngine, _ version: BLIPVersion, to bytes: inout [UInt8]
    ) throws {
        var encoder = WebSocketEncoder(
            .server, deflate: nil, compression: WebSocketCompression(),
            randomBytes: { [UInt8](repeating: 0, count: $0) })
        while let frame = try engine.nextFrame() {
            if version == .v1 {
                bytes += frame.bytes
            } else {
                try encoder.appendMessage(.binary, frame.bytes.span, to: &bytes)
            }
        }
    }

    private enum Cut: CaseIterable { case finished, reset, closing }

    @Test(arguments: everyVersion)
    func `fails all that is waited for, and takes no part for the whole`(
        version: BLIPVersion
    ) async throws {
        let (bytes, replyEnd) = try Self.script(version)
        let simulation = Simulation(seed: 1, filter: "CutTests")
        try await simulation.run {
            let loop = simulation.clientLoop
            let address = SocketAddress.loopback(port: 100)
            let listener = try Listener(address, backlog: 10, system: loop.system)
            let accepting = try Socket(listener.descriptor, loop: loop)
            defer { accepting.close() }
            for cut in Cut.allCases {
                for count in 0...bytes.count {
                    let peer = try SimulatedClient(connectingTo: address, in: simulation)
                    while true {
                        if let (descriptor, _) = try accepting.accept() {
                            let socket = try Socket(descriptor, loop: loop)
                            let what = try await Self.converse(
                                over: socket, version, peer, bytes.prefix(count), cut)
                            let expected = count >= replyEnd ? "whole" : "failed"
                            #expect(what == "\(expected) failed", "\(cut) after \(count)")
                            break
                        }
                        _ = await accepting.waitReadable(until: .max)
                    }
                    peer.close()
                }
            }
        }
    }

    /// What becomes of two requests, when the other end sends some bytes and leaves.
    private static func converse(
        over socket: Socket, _ version: BLIPVersion, _ peer: SimulatedClient,
        _ bytes: ArraySlice<UInt8>, _ cut: Cut
    ) async throws -> String {
        let loop = socket.loop
        let dispatcher = BLIPDispatcher()
        let taken = Note(0)
        dispatcher.on("take") { request in
            taken.change { $0 += request.body.count }
            return BLIPMessage()
        }
        var options = BLIPOptions()
        options.webSocket.closeTimeout = .milliseconds(10)
        let settled = options.settled
        let link = BLIPLink(options.settings(dispatcher), loop: loop)
        let connection = BLIPConnection(link)
        let stream = ByteStream(socket, patience: 1_000_000_000)
        async let leaving: Void = leave(peer, bytes, cut, connection)
        let words = try await connection.run({ link in
            defer { socket.close() }
            if version == .v1 {
                return try await link.carry(TCPTransport(stream), version)
            }
            let webSocket = WebSocketLink(.client, stream, options: settled, deflate: nil)
            try await webSocket.run {
                let transport = WebSocketTransport(WebSocket(webSocket, subprotocol: nil))
                try await link.carry(transport, version)
            }
        }) { connection in
            async let first = outcome { try await connection.send(BLIPMessage(profile: "P")) }
            async let second = outcome { try await connection.send(BLIPMessage(profile: "P")) }
            var words: [String] = []
            for result in await [first, second] {
                switch result {
                case .success(let reply): words.append(reply.body == body ? "whole" : "a part")
                case .failure: words.append("failed")
                }
            }
            return words.joined(separator: " ")
        }
        await leaving
        #expect(taken.value == 0 || taken.value == body.count)
        #expect(link.inboxes.isEmpty && link.replies.isEmpty && link.engine.heldCount == 0)
        #expect(link.state == .over && link.busyCount == 0 && link.waiting.isEmpty)
        return words
    }

    private static func leave(
        _ peer: SimulatedClient, _ bytes: ArraySlice<UInt8>, _ cut: Cut,
        _ connection: BLIPConnection
    ) async {
        // The requests go out in their order first.
        _ = try? await peer.receive()
        _ = await peer.stall(1_000_000)
        try? await peer.send(bytes)
        _ = await peer.stall(1_000_000)
        switch cut {
        case .finished: peer.close()
        case .reset: peer.reset()
        case .closing:
            // This end closes while the other one sends, and never gets an answer.
            await connection.close()
            _ = await peer.stall(20_000_000_000)
            peer.close()
        }
    }
}
