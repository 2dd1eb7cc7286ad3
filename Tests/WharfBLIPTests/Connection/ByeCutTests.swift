import Testing
import WharfBLIPEngine
import WharfNet
import WharfTesting
import WharfWebSocketCodec

@testable import WharfBLIP
@testable import WharfWebSocket

/// Closing by Bye that ends at every byte of what the other end sends, in the simulator.
@Suite(.timeLimit(.minutes(3))) struct `A Bye that is cut at any byte` {
    enum Asking: CaseIterable { case theirs, ours, both, refused }
    enum Cut: CaseIterable { case finished, reset }

    private static let body = [UInt8](repeating: 65, count: 600)

    /// What the other end sends: the reply to request 1 in two frames, and before and after it what
    /// it has to say of closing; and where that reply is whole.
    private static func script(
        _ version: BLIPVersion, _ asking: Asking
    ) throws -> (bytes: [UInt8], replyEnd: Int) {
        var limits = BLIPLimits()
        limits.frameSize = 350
        var engine = BLIPEngine(version, limits: limits)
        var us = BLIPEngine(version)
        _ = us.send(BLIPOutgoing(["Profile": "P"]))
        if asking != .theirs { _ = us.send(bye) }
        while let frame = try us.nextFrame() { _ = try engine.receive(frame.bytes) }
        var bytes: [UInt8] = []
        if asking == .theirs || asking == .both { _ = engine.send(bye) }
        try `A BLIP connection that is cut at any byte`.append(&engine, version, to: &bytes)
        engine.reply(to: 1, BLIPOutgoing(body: body))
        try `A BLIP connection that is cut at any byte`.append(&engine, version, to: &bytes)
        let replyEnd = bytes.count
        switch asking {
        case .theirs: break
        case .ours, .both: engine.reply(to: 2, BLIPOutgoing())
        case .refused: engine.reply(to: 2, .error("BLIP", 403, "Close request denied"))
        }
        try `A BLIP connection that is cut at any byte`.append(&engine, version, to: &bytes)
        return (bytes, replyEnd)
    }

    private static var bye: BLIPOutgoing {
        var bye = BLIPOutgoing(["Profile": BLIPClosing.profile])
        bye.head.isMeta = true
        return bye
    }

    @Test(arguments: [BLIPVersion.v1, .v2], Asking.allCases)
    func `ends the connection, and well only when all is done`(
        version: BLIPVersion, asking: Asking
    ) async throws {
        let (bytes, replyEnd) = try Self.script(version, asking)
        let simulation = Simulation(seed: 1, filter: "ByeCutTests")
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
                    let words = try await Self.converse(over: socket, version, asking)
                    await leaving
                    peer.close()
                    let isWhole = count >= replyEnd
                    let isRefused = asking == .refused && count == bytes.count
                    #expect(
                        words == (isWhole ? "whole" : "failed") + (isRefused ? " refused" : ""),
                        "\(cut) after \(count)")
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

    /// What becomes of a request and of this end's wish to close.
    private static func converse(
        over socket: Socket, _ version: BLIPVersion, _ asking: Asking
    ) async throws -> String {
        let loop = socket.loop
        let ended = Note<[Bool]>([])
        var options = BLIPOptions()
        options.webSocket.closeTimeout = .milliseconds(10)
        options.onEvent = { event in
            if case .closed(let error) = event { ended.change { $0.append(error == nil) } }
        }
        let settled = options.settled
        let link = BLIPLink(options.settings(BLIPDispatcher()), loop: loop)
        let connection = BLIPConnection(link)
        let stream = ByteStream(socket, patience: 1_000_000_000)
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
            async let reply = outcome { try await connection.send(BLIPMessage(profile: "P")) }
            try await loop.confine { while link.replies.isEmpty { await loop.yield() } }
            var closing = ""
            if asking != .theirs {
                let result = await outcome { try await connection.closeWhenDone() }
                if case .failure(let error) = result, error is BLIPError { closing = " refused" }
            }
            switch await reply {
            case .success(let reply): return (reply.body == body ? "whole" : "a part") + closing
            case .failure: return "failed" + closing
            }
        }
        #expect(ended.value.count == 1)
        #expect(words.hasPrefix("whole") || ended.value != [true], "well, but \(words)")
        #expect(link.inboxes.isEmpty && link.replies.isEmpty && link.engine.heldCount == 0)
        #expect(link.state == .over && link.busyCount == 0 && link.waiting.isEmpty)
        return words
    }

    private static func leave(
        _ peer: SimulatedClient, _ bytes: ArraySlice<UInt8>, _ cut: Cut
    ) async {
        // The requests go out in their order first.
        _ = try? await peer.receive()
        _ = await peer.stall(1_000_000)
        try? await peer.send(bytes)
        _ = await peer.stall(1_000_000)
        switch cut {
        case .finished: peer.close()
        case .reset: peer.reset()
        }
    }
}
