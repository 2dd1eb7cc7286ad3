import Testing
import WharfWebSocketCodec

@Suite struct `The head of a frame` {
    @Test(arguments: [0, 1, 125, 126, 127, 0xFFFF, 0x1_0000, 1 << 40, Int.max])
    func `is written in its shortest form and read again`(payloadCount: Int) throws {
        for key in [nil, 0 as UInt32, 0x0403_0201] {
            let head = WebSocketFrameHead(
                .binary, payloadCount: payloadCount, isFinal: false, isCompressed: true, key: key)
            var bytes: [UInt8] = []
            head.append(to: &bytes)
            let lengthCount = payloadCount < 126 ? 0 : payloadCount < 0x1_0000 ? 2 : 8
            #expect(bytes.count == 2 + lengthCount + (key == nil ? 0 : 4))
            let read = try #require(try WebSocketFrameHead.read(bytes.span))
            #expect(read.head == head && read.byteCount == bytes.count)
            for count in 0..<bytes.count {
                let part = Array(bytes.prefix(count))
                let early = try WebSocketFrameHead.read(part.span)
                #expect(early == nil)
            }
        }
    }

    @Test func `has its key's bytes in the order of the wire`() {
        #expect(
            frame(.text, [0, 0, 0, 0, 0], key: 0x0403_0201)
                == [0x81, 0x85, 1, 2, 3, 4, 1, 2, 3, 4, 1])
    }

    @Test(
        arguments: [
            ([0x91, 0x00], "a reserved bit is set"), ([0xA1, 0x00], "a reserved bit is set"),
            ([0x83, 0x00], "a reserved opcode"), ([0x87, 0x00], "a reserved opcode"),
            ([0x8B, 0x00], "a reserved opcode"), ([0x8F, 0x00], "a reserved opcode"),
            ([0x09, 0x00], "a control frame in parts"), ([0x08, 0x00], "a control frame in parts"),
            ([0x89, 126, 0, 126], "a control frame of over 125 bytes"),
            ([0x82, 126, 0, 125], "a length that is not in its shortest form"),
            (
                [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
                "a length that is not in its shortest form"
            ),
            ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "a length over 63 bits"),
        ] as [([UInt8], String)])
    func `is refused when it breaks the RFC`(bytes: [UInt8], reason: String) {
        let error = #expect(throws: WebSocketError.self) {
            try WebSocketFrameHead.read(bytes.span)
        }
        #expect(error?.code == .protocolError && error?.reason == reason)
    }
}
