import Testing
import WharfWebSocketCodec

@Suite struct `A compressed message` {
    private static let plain = DeflateAgreement()

    private static var withoutContext: DeflateAgreement {
        var agreement = DeflateAgreement()
        agreement.client.keepsContext = false
        agreement.client.windowBits = 9
        return agreement
    }

    private func send(
        _ messages: [[UInt8]], _ agreement: DeflateAgreement, parts: Int = 1
    ) throws -> [UInt8] {
        var compression = WebSocketCompression()
        compression.messageMin = 0
        var encoder = WebSocketEncoder(
            .client, deflate: agreement, compression: compression, randomBytes: countingBytes)
        var wire: [UInt8] = []
        for message in messages {
            let length = message.count / parts
            for part in 0..<parts {
                let isLast = part == parts - 1
                let end = isLast ? message.count : (part + 1) * length
                if parts == 1 {
                    try encoder.appendMessage(.binary, message.span, to: &wire)
                } else {
                    try encoder.appendPart(
                        .binary, message[part * length..<end].span, isLast: isLast, to: &wire)
                }
            }
        }
        return wire
    }

    private static let samples: [[UInt8]] = [
        [], utf8("Hello"), [], utf8("Hello"),
        (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) },
        [UInt8](repeating: 1, count: 300_000), [0xFF],
    ]

    @Test(arguments: [plain, withoutContext], [1, 3])
    func `is read as it was sent, however it is cut`(
        agreement: DeflateAgreement, parts: Int
    ) throws {
        let wire = try send(Self.samples, agreement, parts: parts)
        let expected = Self.samples.map { WebSocketPiece(.binary, $0, isLast: true) }
        for step in [wire.count, 60_000, 4097] {
            let cuts = Array(stride(from: step, to: wire.count, by: step))
            let reading = read(wire, cuts: cuts, deflate: agreement)
            #expect(reading.messages == expected && reading.error == nil)
        }
        let short = try send(Array(Self.samples.prefix(4)), agreement, parts: parts)
        for cut in 0...short.count {
            let reading = read(short, cuts: [cut], deflate: agreement)
            #expect(reading.messages == Array(expected.prefix(4)))
        }
    }

    @Test func `is as RFC 7692 shows`() throws {
        // §7.2.3.1, §7.2.3.2: Hello, and Hello again with and without the context.
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let again: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
        let wire = try send([utf8("Hello"), utf8("Hello")], Self.plain)
        let unmasked = Self.payloads(wire)
        #expect(unmasked == [hello, again])
        #expect(
            Self.payloads(try send([utf8("Hello"), utf8("Hello")], Self.withoutContext)).count == 2)
        // §7.2.3.3: a stored block. §7.2.3.4: a last block. §7.2.3.5: two blocks.
        let stored: [UInt8] = [0x00, 0x05, 0x00, 0xFA, 0xFF] + utf8("Hello") + [0x00]
        let last: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        let two: [UInt8] = [
            0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00,
        ]
        for payload in [hello, stored, last, two] {
            let input = frame(.text, payload, isCompressed: true) + frame(.text, utf8("plain"))
            #expect(
                read(input, deflate: Self.plain).messages.map(\.bytes)
                    == [utf8("Hello"), utf8("plain")])
        }
        // §7.2.3.6.
        let empty = frame(.text, [0x00], isCompressed: true)
        #expect(read(empty, deflate: Self.plain).messages.map(\.bytes) == [[]])
    }

    private static func payloads(_ wire: [UInt8]) -> [[UInt8]] {
        var rest = wire[...]
        var payloads: [[UInt8]] = []
        while let (head, count) = try? WebSocketFrameHead.read(Array(rest).span) {
            let payload = rest.dropFirst(count).prefix(head.payloadCount)
            payloads.append(
                payload.enumerated().map { index, byte in
                    byte ^ UInt8(truncatingIfNeeded: (head.key ?? 0) >> UInt32(8 * (index & 3)))
                })
            rest = rest.dropFirst(count + head.payloadCount)
        }
        return payloads
    }

    @Test(arguments: [0, 1])
    func `may be that long when decompressed and no longer`(excess: Int) throws {
        let limits = WebSocketLimits(messageMax: 1 << 20)
        let bomb = [UInt8](repeating: 0, count: 1 << 20 + excess)
        let wire = try send([bomb, bomb], Self.plain)
        #expect(wire.count < 4096)
        let reading = read(wire, limits: limits, deflate: Self.plain)
        #expect(reading.error?.code == (excess == 0 ? nil : .messageTooBig))
        #expect(reading.messages.count == (excess == 0 ? 2 : 0))
    }

    @Test func `comes in pieces when it is long`() throws {
        let wire = try send([[UInt8](repeating: 0, count: 1 << 20)], Self.plain)
        var decoder = WebSocketDecoder(.server, limits: WebSocketLimits(), deflate: Self.plain)
        var lengths: [Int] = []
        var consumed = 0
        while true {
            let step = try decoder.decode(wire[consumed..<wire.count].span)
            consumed += step.consumed
            guard case .piece(let piece)? = step.event else { break }
            lengths.append(piece.bytes.count)
        }
        #expect(lengths.count >= 8 && lengths.max() ?? 0 <= 128 * 1024)
        #expect(lengths.reduce(0, +) == 1 << 20)
    }

    @Test func `is refused when it is malformed, or marked on a continuation`() {
        let bad = frame(.binary, [0xFF, 0xFF, 0xFF], isCompressed: true)
        #expect(read(bad, deflate: Self.plain).error?.code == .invalidData)
        let late =
            frame(.binary, isFinal: false) + frame(.continuation, [0x00], isCompressed: true)
        #expect(read(late, deflate: Self.plain).error?.code == .protocolError)
    }

    @Test func `is not made of a short one, nor with a window that zlib lacks`() throws {
        var agreement = DeflateAgreement()
        var wire: [UInt8] = []
        var encoder = WebSocketEncoder(.server, deflate: agreement, randomBytes: countingBytes)
        try encoder.appendMessage(.binary, [UInt8](repeating: 0, count: 63).span, to: &wire)
        #expect(wire.count == 65)
        agreement.server.windowBits = 8
        var narrow = WebSocketEncoder(.server, deflate: agreement, randomBytes: countingBytes)
        try narrow.appendMessage(.binary, [UInt8](repeating: 0, count: 1000).span, to: &wire)
        #expect(wire.count == 65 + 1004)
    }
}
