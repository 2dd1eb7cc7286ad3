import WharfWebSocketCodec

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzWebSocketDeflate_main")
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

/// The input is a compressed message, as a server gets it, and then a message to be compressed.
func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let payload = Array(input.dropFirst())
    var agreement = DeflateAgreement()
    agreement.client.keepsContext = first & 1 == 0
    agreement.client.windowBits = 9 + Int(first >> 1) % 7
    var frame: [UInt8] = []
    WebSocketFrameHead(.binary, payloadCount: payload.count, isCompressed: true, key: 0)
        .append(to: &frame)
    frame += payload
    // Twice: the second message meets what the first one left.
    let input = frame + frame
    let whole = read(input, cuts: [], agreement)
    precondition(
        whole == read(input, cuts: Array(stride(from: 0, to: input.count, by: 7)), agreement),
        "a cut changed the outcome")
    var compression = WebSocketCompression()
    compression.messageMin = 0
    var encoder = WebSocketEncoder(.client, deflate: agreement, compression: compression) {
        [UInt8](repeating: first, count: $0)
    }
    let beginning = Array(payload.prefix(Int(first)))
    var wire: [UInt8] = []
    do throws(WebSocketError) {
        try encoder.appendMessage(.binary, payload.span, to: &wire)
        try encoder.appendPart(.binary, payload.span, isLast: false, to: &wire)
        try encoder.appendPart(.binary, beginning.span, isLast: true, to: &wire)
    } catch {
        preconditionFailure("\(error)")
    }
    precondition(
        read(wire, cuts: [], agreement) == [payload, payload + beginning],
        "a message changed")
}

/// The messages that were read before something was wrong.
func read(_ input: [UInt8], cuts: [Int], _ agreement: DeflateAgreement) -> [[UInt8]] {
    var decoder = WebSocketDecoder(
        .server, limits: WebSocketLimits(messageMax: 100_000), deflate: agreement)
    var messages: [[UInt8]] = []
    var begun: [UInt8] = []
    var consumed = 0
    do throws(WebSocketError) {
        for cut in cuts + [input.count] {
            while true {
                let step = try decoder.decode(input[consumed..<cut].span)
                consumed += step.consumed
                guard case .piece(let piece)? = step.event else { break }
                begun += piece.bytes
                guard piece.isLast else { continue }
                messages.append(begun)
                begun = []
            }
        }
    } catch {}
    return messages
}
