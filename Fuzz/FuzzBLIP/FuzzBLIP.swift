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
/// No frame may trap, whatever came before it, what the engine answers is readable, and what it holds
/// has its bound.
func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let version: BLIPVersion = first & 8 != 0 ? .v1 : first & 1 == 0 ? .v2 : .v3
    checkProperties(input, version)
    var limits = BLIPLimits()
    limits.frameMax = 10_000
    limits.bodyMax = 20_000
    limits.heldMax = 50_000
    limits.acknowledgeEvery = 100
    var engine = BLIPEngine(version, limits: limits)
    var peer = BLIPFrameDecoder(version)
    _ = engine.send(BLIPOutgoing(["Profile": "Echo"], body: input, isCompressed: first & 2 != 0))
    var rest = input.dropFirst()
    do throws(BLIPFault) {
        while rest.count >= 2 {
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(2)
            let frame = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            if version == .v1 { _ = try BLIP1Head.frameSize(frame.span) }
            let events = try engine.receive(frame)
            // What is to be sent is the fuzzer's own.
            precondition(
                engine.heldCount - engine.unsentCount <= 50_000 + 20_000, "too much is held")
            for event in events { answer(event, &engine, first) }
            while let frame = try engine.nextFrame() { _ = try peer.decode(frame.bytes) }
        }
    } catch {}
    _ = engine.end()
    precondition(engine.end().isEmpty && !engine.hasFrames, "something was left")
}

/// What can be read as properties reads the same when it is written.
func checkProperties(_ input: [UInt8], _ version: BLIPVersion) {
    guard let properties = try? BLIPProperties(reading: input.dropFirst(), version),
        properties.canBeSent(version)
    else { return }
    var written: [UInt8] = []
    properties.append(to: &written, version)
    var start = 0
    if version == .v1 {
        start = 2
    } else {
        repeat {
            start += 1
        } while written[start - 1] & 0x80 != 0
    }
    let again = try? BLIPProperties(reading: written[start...], version)
    precondition(again == properties, "properties that are not the same")
}

func answer(_ event: BLIPEvent, _ engine: inout BLIPEngine, _ first: UInt8) {
    switch event {
    case .began(let id, let head):
        engine.acknowledge(id)
        if first & 4 != 0, !id.isReply {
            engine.reply(
                to: id.number, BLIPOutgoing(head.properties, isCompressed: first & 2 != 0),
                isWhole: false)
        }
    case .body(let id, let bytes):
        precondition(!bytes.isEmpty, "a piece of nothing")
        if first & 16 != 0 { engine.noteUsed(id, bytes.count) } else { engine.acknowledge(id) }
        engine.append(bytes, to: .reply(to: id.number))
    case .ended(let id) where !id.isReply:
        if !engine.reply(to: id.number, .error("BLIP", 404, "none")), first & 32 != 0 {
            _ = engine.giveUp(
                replyTo: id.number, .error("BLIP", 501, "no"), isMarked: first & 64 != 0)
        }
        engine.finish(.reply(to: id.number))
    case .ended: break
    case .failed, .ignored: break
    }
}
