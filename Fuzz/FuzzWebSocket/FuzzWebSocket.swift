import WharfWebSocketCodec

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzWebSocket_main")
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

/// The first byte says where the rest is cut and which end reads; what is read must be the same.
func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let frames = Array(input.dropFirst())
    let role: WebSocketRole = first & 1 == 0 ? .server : .client
    let whole = read(frames, cuts: [], role)
    precondition(whole == read(frames, cuts: [min(Int(first), frames.count)], role), "a cut")
    precondition(whole == read(frames, cuts: Array(frames.indices), role), "byte by byte")
    // What was read, written again, is read as the same.
    var encoder = WebSocketEncoder(role.peer, deflate: nil) { [UInt8](repeating: first, count: $0) }
    var wire: [UInt8] = []
    for message in whole.messages {
        precondition(message.kind == .binary || isText(message.bytes), "a text is no UTF-8")
        do throws(WebSocketError) {
            try encoder.appendMessage(message.kind, message.bytes.span, to: &wire)
        } catch {
            preconditionFailure("\(error)")
        }
    }
    precondition(read(wire, cuts: [], role).messages == whole.messages, "a message changed")
}

func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

struct Reading: Equatable {
    var messages: [WebSocketPiece] = []
    var controls: [WebSocketDecoder.Event] = []
    var error: WebSocketCloseCode?
}

func read(_ input: [UInt8], cuts: [Int], _ role: WebSocketRole) -> Reading {
    var decoder = WebSocketDecoder(
        role, limits: WebSocketLimits(frameMax: 4000, messageMax: 5000), deflate: nil)
    var reading = Reading()
    var begun: [UInt8] = []
    var consumed = 0
    do throws(WebSocketError) {
        for cut in cuts + [input.count] {
            while true {
                let step = try decoder.decode(input[consumed..<cut].span)
                consumed += step.consumed
                guard let event = step.event else { break }
                guard case .piece(let piece) = event else {
                    reading.controls.append(event)
                    continue
                }
                begun += piece.bytes
                guard piece.isLast else { continue }
                reading.messages.append(WebSocketPiece(piece.kind, begun, isLast: true))
                begun = []
            }
        }
    } catch {
        reading.error = error.code
    }
    return reading
}
