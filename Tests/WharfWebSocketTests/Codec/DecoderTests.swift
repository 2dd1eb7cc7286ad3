import Testing
import WharfWebSocketCodec

@Suite struct `A WebSocket decoder` {
    /// A conversation with everything in it.
    private static let conversation =
        frame(.text, utf8("Hello, κόσμε")) + frame(.ping, [1, 2, 3])
        + frame(.binary, [], isFinal: false) + frame(.pong)
        + frame(.continuation, [UInt8](0...255), isFinal: false)
        + frame(.ping) + frame(.continuation, [7]) + frame(.text) + frame(.binary, [0], key: 0)
        + frame(.close, [0x03, 0xE8] + utf8("bye"))

    private static var meaning: Reading {
        Reading(
            messages: [
                WebSocketPiece(.text, utf8("Hello, κόσμε"), isLast: true),
                WebSocketPiece(.binary, [UInt8](0...255) + [7], isLast: true),
                WebSocketPiece(.text, [], isLast: true), WebSocketPiece(.binary, [0], isLast: true),
            ],
            controls: [
                .ping([1, 2, 3]), .pong([]), .ping([]),
                .close(WebSocketClose(.normal, reason: "bye")),
            ])
    }

    @Test func `reads the same however the bytes are cut`() {
        let input = Self.conversation
        #expect(read(input) == Self.meaning)
        for cut in 0...input.count { #expect(read(input, cuts: [cut]) == Self.meaning) }
        #expect(read(input, cuts: Array(1..<input.count)) == Self.meaning)
    }

    @Test func `waits when bytes are missing, and has told what was whole`() {
        let input = Self.conversation
        for count in 0..<input.count {
            let part = read(Array(input.prefix(count)))
            #expect(part.error == nil)
            #expect(part.messages == Array(Self.meaning.messages.prefix(part.messages.count)))
            #expect(part.controls == Array(Self.meaning.controls.prefix(part.controls.count)))
        }
    }

    @Test(arguments: [
        (frame(.text, key: nil), "a frame without a mask"),
        (frame(.continuation), "a continuation of nothing"),
        (frame(.text, isFinal: false) + frame(.binary), "a message inside of another"),
        (frame(.text, isFinal: false) + frame(.text), "a message inside of another"),
        (frame(.text) + frame(.continuation), "a continuation of nothing"),
        (frame(.text, isCompressed: true), "compression was not agreed on"),
        (frame(.ping, isCompressed: true), "a compressed control frame"),
        (frame(.close, [3]), "a Close frame of one byte"),
    ])
    func `refuses what breaks the protocol`(input: [UInt8], reason: String) {
        for cuts in [[], Array(1..<input.count)] {
            let error = read(input, cuts: cuts).error
            #expect(error?.code == .protocolError && error?.reason == reason)
        }
    }

    @Test func `refuses masked frames of a server`() {
        #expect(read(frame(.text, key: 1), as: .client).error?.reason == "a masked frame")
        #expect(read(frame(.text, [0x61], key: nil), as: .client).messages.count == 1)
    }

    @Test(
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false),
            (1006, false), (1007, true), (1014, true), (1015, false), (1016, false), (2999, false),
            (3000, true), (4999, true), (5000, false), (65535, false),
        ] as [(UInt16, Bool)])
    func `takes only codes that may be sent`(code: UInt16, isGood: Bool) {
        let reading = read(frame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)]))
        #expect((reading.error == nil) == isGood)
        #expect(WebSocketCloseCode(rawValue: code).isSendable == isGood)
        let payload = WebSocketClose(WebSocketCloseCode(rawValue: code)).payload
        #expect(payload == (isGood ? [UInt8(code >> 8), UInt8(code & 0xFF)] : []))
    }

    @Test func `knows a Close frame without a code, and one whose reason is no text`() {
        #expect(read(frame(.close)).controls == [.close(WebSocketClose(.noCode))])
        #expect(read(frame(.close, [0x03, 0xE8, 0xFF])).error?.code == .invalidData)
    }

    @Test func `a reason is cut between characters to fit`() {
        let close = WebSocketClose(.normal, reason: String(repeating: "é", count: 100))
        #expect(close.payload.count == 2 + 122)
        #expect(read(frame(.close, close.payload)).error == nil)
    }

    @Test(arguments: [0, 1])
    func `a frame and a message may be that long and no longer`(excess: Int) {
        let limits = WebSocketLimits(frameMax: 100, messageMax: 150)
        let long = frame(.binary, [UInt8](repeating: 0, count: 100 + excess))
        #expect(read(long, limits: limits).error?.code == (excess == 0 ? nil : .messageTooBig))
        let parts =
            frame(.binary, [UInt8](repeating: 0, count: 100), isFinal: false)
            + frame(.continuation, [UInt8](repeating: 0, count: 50 + excess))
        #expect(read(parts, limits: limits).error?.code == (excess == 0 ? nil : .messageTooBig))
        // The count starts anew with each message.
        #expect(read(parts + parts, limits: limits).messages.count == (excess == 0 ? 2 : 0))
    }

    @Test func `refuses a length beyond all bounds before its bytes come`() {
        let head: [UInt8] = [
            0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0,
        ]
        let first = frame(.binary, [1], isFinal: false)
        let limits = WebSocketLimits(frameMax: .max, messageMax: .max)
        #expect(read(head).error?.code == .messageTooBig)
        var continuation = head
        continuation[0] = 0x80
        #expect(read(first + continuation, limits: limits).error?.code == .messageTooBig)
    }

    @Test func `hands over a long message in pieces`() throws {
        let payload = [UInt8](repeating: 5, count: 300_000)
        let input = frame(.binary, payload)
        var decoder = WebSocketDecoder(.server, limits: WebSocketLimits(), deflate: nil)
        var lengths: [Int] = []
        var consumed = 0
        while true {
            let step = try decoder.decode(input[consumed..<input.count].span)
            consumed += step.consumed
            guard case .piece(let piece)? = step.event else { break }
            lengths.append(piece.bytes.count)
        }
        #expect(lengths.count > 3 && lengths.max() ?? 0 <= 128 * 1024)
        #expect(lengths.reduce(0, +) == payload.count)
    }

    @Test func `gives what has come of a message before it is whole`() throws {
        var decoder = WebSocketDecoder(.server, limits: WebSocketLimits(), deflate: nil)
        let input = frame(.text, utf8("begun"), isFinal: false)
        _ = try decoder.decode(input.span)
        #expect(decoder.takePart() == WebSocketPiece(.text, utf8("begun"), isLast: false))
        #expect(decoder.takePart() == nil)
    }
}
