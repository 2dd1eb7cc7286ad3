import WharfBLIPEngine
import WharfNet

/// One engine on its loop, and who waits for what.
final class BLIPLink: @unchecked Sendable {
    // @unchecked: used on the loop's thread only; others come here through `confine`.

    let loop: EventLoop
    private var engine: BLIPEngine
    private let wake: LoopGate
    private let room: LoopGate
    private var heads: [BLIPMessageID: BLIPMessageHead] = [:]
    private var bodies: [BLIPMessageID: [UInt8]] = [:]
    private var replies: [UInt64: PendingReply] = [:]
    private var isOver = false
    /// Requests that handlers are at work on.
    private var busyCount = 0

    /// Requests that handlers may be at work on before no more is read.
    private static let busyMax = 100

    private final class PendingReply {
        let gate: LoopGate
        var result: Result<BLIPReply, BLIPConnectionError>?

        init(_ loop: EventLoop) {
            gate = LoopGate(loop)
        }
    }

    init(_ version: BLIPVersion, limits: BLIPLimits, loop: EventLoop) {
        self.loop = loop
        engine = BLIPEngine(version, limits: limits)
        wake = LoopGate(loop)
        room = LoopGate(loop)
    }

    // MARK: Frames

    /// Takes a frame; answers the requests that are there whole with it.
    func take(_ frame: [UInt8]) throws -> [BLIPRequest] {
        var requests: [BLIPRequest] = []
        for event in try engine.receive(frame) {
            switch event {
            case .began(let id, let head): heads[id] = head
            case .body(let id, let bytes):
                bodies[id, default: []] += bytes
                engine.noteUsed(id)
            case .ended(let id):
                guard let head = heads.removeValue(forKey: id) else { continue }
                let body = bodies.removeValue(forKey: id) ?? []
                if id.isReply {
                    settle(id.number, .success(BLIPReply(head: head, body: body)))
                } else {
                    busyCount += 1
                    requests.append(BLIPRequest(head: head, body: body, number: id.number))
                }
            case .failed(let id, let failure):
                heads[id] = nil
                bodies[id] = nil
                if id.isReply { settle(id.number, .failure(.init(.badReply(failure)))) }
            case .ignored: break
            }
        }
        wake.open()
        return requests
    }

    /// Waits until there is room for another request to be worked on.
    func waitForRoom() async throws {
        while busyCount >= Self.busyMax { try await room.wait() }
    }

    /// The next frame to be sent; `nil` when nothing will be sent any more.
    func nextFrame() async throws -> [UInt8]? {
        while !isOver {
            if let frame = try engine.nextFrame() { return frame.bytes }
            try await wake.wait()
        }
        return nil
    }

    // MARK: Messages

    func reply(to request: BLIPRequest, _ reply: BLIPOutgoing) {
        busyCount -= 1
        room.open()
        guard !isOver else { return }
        engine.reply(to: request.number, reply)
        wake.open()
    }

    /// Sends a request that wants a reply, and waits for that.
    func ask(_ request: BLIPOutgoing) async throws -> BLIPReply {
        guard !isOver else { throw BLIPConnectionError(.disconnected) }
        let number = engine.send(request)
        let pending = PendingReply(loop)
        replies[number] = pending
        wake.open()
        // Whoever is cancelled meanwhile does not hear of the reply.
        defer { replies[number] = nil }
        while pending.result == nil { try await pending.gate.wait() }
        guard let result = pending.result else { throw BLIPConnectionError(.disconnected) }
        return try result.get()
    }

    /// Sends a request that wants no reply.
    func tell(_ request: BLIPOutgoing) throws {
        guard !isOver else { throw BLIPConnectionError(.disconnected) }
        _ = engine.send(request)
        wake.open()
    }

    private func settle(_ number: UInt64, _ result: Result<BLIPReply, BLIPConnectionError>) {
        guard let pending = replies[number] else { return }
        pending.result = result
        pending.gate.open()
    }

    /// The connection has ended: every reply that is waited for fails.
    func end() {
        guard !isOver else { return }
        isOver = true
        _ = engine.end()
        for number in replies.keys.sorted() {
            settle(number, .failure(BLIPConnectionError(.disconnected)))
        }
        wake.open()
        room.open()
    }
}
