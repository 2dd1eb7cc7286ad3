import WharfBLIPEngine

/// An engine that macros can call: they copy what they look at, and an engine can't be copied.
final class End {
    private var engine: BLIPEngine

    init(_ version: BLIPVersion, limits: BLIPLimits = BLIPLimits()) {
        engine = BLIPEngine(version, limits: limits)
    }

    var hasFrames: Bool { engine.hasFrames }
    var heldCount: Int { engine.heldCount }
    var isIdle: Bool { engine.isIdle }
    var sendingCount: Int { engine.sendingCount }

    func receive(_ frame: [UInt8]) throws(BLIPFault) -> [BLIPEvent] { try engine.receive(frame) }

    func send(_ request: BLIPOutgoing) -> UInt64 { engine.send(request) }

    @discardableResult
    func reply(to number: UInt64, _ reply: BLIPOutgoing, isWhole: Bool = true) -> Bool {
        engine.reply(to: number, reply, isWhole: isWhole)
    }

    func acknowledge(_ id: BLIPMessageID) { engine.acknowledge(id) }

    func noteUsed(_ id: BLIPMessageID, _ count: Int) { engine.noteUsed(id, count) }

    func begin(_ request: BLIPOutgoing) -> UInt64 { engine.send(request, isWhole: false) }

    func append(_ bytes: [UInt8], to id: BLIPMessageID) { engine.append(bytes, to: id) }

    func finish(_ id: BLIPMessageID) { engine.finish(id) }

    func giveUp(request number: UInt64) -> BLIPEngine.GivenUp { engine.giveUp(request: number) }

    func giveUp(replyTo number: UInt64, isMarked: Bool) -> BLIPEngine.GivenUp {
        engine.giveUp(replyTo: number, .error("App", 1, "gone"), isMarked: isMarked)
    }

    func nextFrame() throws(BLIPFault) -> [UInt8]? { try engine.nextFrame()?.bytes }

    func end() -> [BLIPEvent] { engine.end() }
}
