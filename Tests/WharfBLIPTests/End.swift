import WharfBLIPEngine

/// An engine that macros can call: they copy what they look at, and an engine can't be copied.
final class End {
    private var engine: BLIPEngine

    init(_ version: BLIPVersion, limits: BLIPLimits = BLIPLimits()) {
        engine = BLIPEngine(version, limits: limits)
    }

    var hasFrames: Bool { engine.hasFrames }
    var sendingCount: Int { engine.sendingCount }

    func receive(_ frame: [UInt8]) throws(BLIPFault) -> [BLIPEvent] { try engine.receive(frame) }

    func send(_ request: BLIPOutgoing) -> UInt64 { engine.send(request) }

    @discardableResult
    func reply(to number: UInt64, _ reply: BLIPOutgoing) -> Bool {
        engine.reply(to: number, reply)
    }

    func noteUsed(_ id: BLIPMessageID) { engine.noteUsed(id) }

    func nextFrame() throws(BLIPFault) -> [UInt8]? { try engine.nextFrame()?.bytes }

    func end() -> [BLIPEvent] { engine.end() }
}
