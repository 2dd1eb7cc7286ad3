import Testing
import WharfWebSocketCodec

@Suite struct `UTF-8 that arrives in parts` {
    private func accept(_ bytes: [UInt8], by validator: inout UTF8Validator) -> Bool {
        validator.accepts(bytes.span)
    }

    private func outcome(_ bytes: [UInt8], cut: Int) -> Bool {
        var validator = UTF8Validator()
        guard accept(Array(bytes.prefix(cut)), by: &validator),
            accept(Array(bytes.dropFirst(cut)), by: &validator)
        else { return false }
        return validator.isComplete
    }

    /// Every start of a character, whole and with each wrong next byte, after some ASCII.
    @Test func `is judged as the standard library does`() {
        var tried = 0
        for first in UInt8(0x7F)...0xFF {
            for second: UInt8 in [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] {
                for tail: [UInt8] in [[], [0x80], [0x80, 0x80], [0xBF, 0xBF], [0x80, 0x20]] {
                    let bytes = utf8("twelve bytes") + [first, second] + tail + utf8("z")
                    let expected = String(validating: bytes, as: UTF8.self) != nil
                    for cut in [0, 12, 13, 14, 15, bytes.count] {
                        #expect(outcome(bytes, cut: min(cut, bytes.count)) == expected, "\(bytes)")
                        tried += 1
                    }
                }
            }
        }
        #expect(tried > 30_000)
    }

    @Test func `is refused at its first bad byte`() {
        var validator = UTF8Validator()
        #expect(accept(utf8("κόσμε"), by: &validator))
        #expect(accept([0xED], by: &validator))
        #expect(!accept([0xA0], by: &validator))
    }

    @Test func `is not complete inside a character`() {
        var validator = UTF8Validator()
        #expect(accept([0xF0, 0x9F, 0x98], by: &validator))
        #expect(!validator.isComplete)
        #expect(accept([0x80], by: &validator))
        #expect(validator.isComplete)
    }

    @Test func `a text frame that is none is closed with 1007`() {
        for text: [UInt8] in [
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xCE],
        ] {
            #expect(read(frame(.text, text)).error?.code == .invalidData)
            #expect(read(frame(.binary, text)).error == nil)
        }
        // It need not be whole for that.
        #expect(read(frame(.text, [0xFF], isFinal: false)).error?.code == .invalidData)
        // A character may lie in two frames.
        let halves = frame(.text, [0xCE], isFinal: false) + frame(.continuation, [0xBA])
        #expect(read(halves).messages == [WebSocketPiece(.text, utf8("κ"), isLast: true)])
    }
}
