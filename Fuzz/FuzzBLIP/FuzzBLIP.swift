import WharfBLIPEngine

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzBLIP_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// The input is frames, each with its length before it in two bytes; the first byte has the version.
///
/// No frame may trap, whatever came before it, and what the engine answers is readable.
func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let version: BLIPVersion = first & 1 == 0 ? .v2 : .v3
    var limits = BLIPLimits()
    limits.frameMax = 10_000
    limits.bodyMax = 20_000
    limits.acknowledgeEvery = 100
    var engine = BLIPEngine(version, limits: limits)
    var peer = BLIPFrameDecoder(version)
    _ = engine.send(BLIPOutgoing(["Profile": "Echo"], body: input, isCompressed: first & 2 != 0))
    var rest = input.dropFirst()
    do throws(BLIPFault) {
        while rest.count >= 2 {
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(2)
            let events = try engine.receive(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            for event in events { answer(event, &engine, first) }
            while let frame = try engine.nextFrame() { _ = try peer.decode(frame.bytes) }
        }
    } catch {}
    _ = engine.end()
    precondition(engine.end().isEmpty && !engine.hasFrames, "something was left")
}

func answer(_ event: BLIPEvent, _ engine: inout BLIPEngine, _ first: UInt8) {
    switch event {
    case .began(let id, let head):
        engine.noteUsed(id)
        if first & 4 != 0 {
            engine.reply(
                to: id.number, BLIPOutgoing(head.properties, isCompressed: first & 2 != 0))
        }
    case .body(let id, let bytes):
        precondition(!bytes.isEmpty, "a piece of nothing")
        engine.noteUsed(id)
    case .ended(let id): engine.reply(to: id.number, .error("BLIP", 404, "none"))
    case .failed, .ignored: break
    }
}
