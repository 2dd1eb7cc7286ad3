import WharfWebSocketCodec

/// What a decoder made of a whole input: its events with pieces joined, and how it ended.
struct Reading: Equatable {
    var messages: [WebSocketPiece] = []
    var controls: [WebSocketDecoder.Event] = []
    var error: WebSocketError?
}

/// Decodes an input that is cut in places.
func read(
    _ input: [UInt8], cuts: [Int] = [], as role: WebSocketRole = .server,
    limits: WebSocketLimits = WebSocketLimits(), deflate: DeflateAgreement? = nil
) -> Reading {
    var decoder = WebSocketDecoder(role, limits: limits, deflate: deflate)
    var reading = Reading()
    var begun: [UInt8] = []
    var consumed = 0
    do throws(WebSocketError) {
        for end in cuts + [input.count] {
            while true {
                let step = try decoder.decode(input[consumed..<end].span)
                consumed += step.consumed
                switch step.event {
                case .piece(let piece):
                    begun += piece.bytes
                    guard piece.isLast else { continue }
                    reading.messages.append(WebSocketPiece(piece.kind, begun, isLast: true))
                    begun = []
                case nil: break
                case let control?: reading.controls.append(control)
                }
                if step.event == nil { break }
            }
        }
    } catch {
        reading.error = error
    }
    return reading
}

/// A frame as a client or a server sends it.
func frame(
    _ opcode: WebSocketOpcode, _ payload: [UInt8] = [], isFinal: Bool = true,
    isCompressed: Bool = false, key: UInt32? = 0xA1B2_C3D4
) -> [UInt8] {
    var bytes: [UInt8] = []
    WebSocketFrameHead(
        opcode, payloadCount: payload.count, isFinal: isFinal, isCompressed: isCompressed, key: key
    ).append(to: &bytes)
    guard let key else { return bytes + payload }
    for (index, byte) in payload.enumerated() {
        bytes.append(byte ^ UInt8(truncatingIfNeeded: key >> UInt32(8 * (index & 3))))
    }
    return bytes
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Numbered bytes in the place of random ones.
@Sendable func countingBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
}
