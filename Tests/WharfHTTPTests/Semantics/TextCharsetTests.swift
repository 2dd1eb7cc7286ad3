import Testing
import WharfHTTP

@Suite struct `A charset` {
    @Test(
        arguments: [
            ("utf-8", .utf8), ("UTF-8", .utf8), ("utf8", .utf8), ("us-ascii", .usASCII),
            ("ISO-8859-1", .isoLatin1), ("latin1", .isoLatin1), ("UTF-16", .utf16),
            ("utf-16be", .utf16BigEndian), ("utf-16le", .utf16LittleEndian), ("", nil),
            ("utf-7", nil), ("windows-1252", nil), ("utf-8 ", nil),
        ] as [(String, TextCharset?)])
    func `has names`(_ name: String, _ charset: TextCharset?) {
        #expect(TextCharset(name: name) == charset)
    }

    @Test(
        arguments: [
            (.utf8, [0xC3, 0xA4], "ä"), (.utf8, [0xEF, 0xBB, 0xBF, 0x61], "a"), (.utf8, [], ""),
            (.utf8, [0xC3], nil), (.utf8, [0xED, 0xA0, 0x80], nil), (.usASCII, [0x61], "a"),
            (.usASCII, [0x80], nil), (.isoLatin1, [0xE4, 0x80, 0xFF], "ä\u{80}ÿ"),
            (.utf16, [0, 0x61], "a"), (.utf16, [0xFE, 0xFF, 0, 0x61], "a"),
            (.utf16, [0xFF, 0xFE, 0x61, 0], "a"), (.utf16, [0xFF, 0xFE], ""), (.utf16, [], ""),
            (.utf16BigEndian, [0xFE, 0xFF, 0x20, 0xAC], "€"),
            (.utf16LittleEndian, [0xAC, 0x20], "€"),
            (.utf16BigEndian, [0xD8, 0x3D, 0xDE, 0x00], "😀"), (.utf16BigEndian, [0xD8, 0x3D], nil),
            (.utf16BigEndian, [0xDE, 0x00, 0xD8, 0x3D], nil), (.utf16, [0, 0x61, 0], nil),
            (.utf16LittleEndian, [0x61], nil),
        ] as [(TextCharset, [UInt8], String?)])
    func `reads bytes, or says that they are no text`(
        _ charset: TextCharset, _ bytes: [UInt8], _ text: String?
    ) {
        #expect(charset.decode(bytes) == text)
    }
}
