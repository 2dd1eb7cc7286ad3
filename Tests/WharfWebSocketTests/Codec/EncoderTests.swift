import Testing
import WharfWebSocketCodec

@Suite struct `A WebSocket encoder` {
    @Test(arguments: [WebSocketRole.client, .server])
    func `writes what the other end reads`(role: WebSocketRole) throws {
        var encoder = WebSocketEncoder(role, deflate: nil, randomBytes: countingBytes)
        var wire: [UInt8] = []
        var sent: [WebSocketPiece] = []
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 125, 126, 65535, 65536, 70001] {
            let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            try encoder.appendMessage(.binary, payload.span, to: &wire)
            sent.append(WebSocketPiece(.binary, payload, isLast: true))
        }
        try encoder.appendPart(.text, utf8("in ").span, isLast: false, to: &wire)
        encoder.appendControl(.ping, [9], to: &wire)
        try encoder.appendPart(.text, utf8("parts").span, isLast: true, to: &wire)
        sent.append(WebSocketPiece(.text, utf8("in parts"), isLast: true))
        let reading = read(wire, as: role.peer)
        #expect(reading == Reading(messages: sent, controls: [.ping([9])]))
        #expect(read(wire, as: role).error != nil)
    }

    @Test func `takes a new key for each frame, from random bytes`() throws {
        var encoder = WebSocketEncoder(.client, deflate: nil, randomBytes: countingBytes)
        var keys: Set<[UInt8]> = []
        for _ in 0..<64 {
            var wire: [UInt8] = []
            try encoder.appendMessage(.binary, [0, 0, 0, 0].span, to: &wire)
            keys.insert(Array(wire.suffix(4)))
            #expect(Array(wire[2..<6]) == Array(wire.suffix(4)))
        }
        #expect(keys.count == 64)
    }
}
