import Foundation
import Testing

@testable import WharfHTTP

/// What Foundation makes of a text is what we must.
@Suite struct CanonicalCompositionTests {
    private static func matches(_ text: String) -> Bool {
        // Taken apart before: else Foundation does not join a Korean syllable and its last part.
        let whole = text.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
        return CanonicalComposition.composed(text).unicodeScalars.elementsEqual(
            whole.unicodeScalars)
    }

    @Test(arguments: [
        ("e\u{301}", "\u{E9}"), ("a\u{302}\u{323}", "\u{1EAD}"), ("\u{212B}", "\u{C5}"),
        ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("\u{AC00}\u{11A8}", "\u{AC01}"),
        ("\u{AC01}\u{11A8}", "\u{AC01}\u{11A8}"), ("\u{958}", "\u{915}\u{93C}"),
        ("\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}"),
        ("a\u{5B0}\u{301}", "\u{E1}\u{5B0}"), ("a\u{301}\u{301}", "\u{E1}\u{301}"),
    ])
    func `marks are ordered and joined`(text: String, composed: String) {
        #expect(
            CanonicalComposition.composed(text).unicodeScalars.elementsEqual(
                composed.unicodeScalars))
    }

    @Test func `every character of Unicode 14 is composed, whole and taken apart`() {
        var failures: [String] = []
        for value in UInt32(0)..<0x110000 {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age,
                age.major <= 14
            else { continue }
            let text = String(scalar)
            let apart = text.decomposedStringWithCanonicalMapping
            if !Self.matches(text) || apart != text || !Self.matches(apart) {
                failures.append(String(value, radix: 16))
            }
        }
        #expect(failures == [])
    }

    @Test(arguments: 0..<4) func `texts full of marks are composed`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Foundation swallows U+11A7, the neighbour of the last parts, which is none.
        let pool: [UInt32] = [
            0x41, 0x61, 0x65, 0x6F, 0x73, 0xFC, 0x1EA1, 0x212B, 0x1100, 0x1161, 0x11A8,
            0xAC00, 0xAC01, 0x300, 0x301, 0x302, 0x308, 0x323, 0x327, 0x328, 0x345, 0x5B0, 0x93C,
            0x915, 0x958, 0x9C7, 0x9BE, 0xF900, 0x3099, 0x30AB, 0x1D15E, 0x11099, 0x110BA,
        ]
        for _ in 0..<3000 {
            let values = (0..<8).map { _ in pool.randomElement(using: &generator) ?? 0x41 }
            var text = String.UnicodeScalarView()
            for value in values { Unicode.Scalar(value).map { text.append($0) } }
            if !Self.matches(String(text)) {
                Issue.record("seed \(seed): \(values.map { String($0, radix: 16) })")
                return
            }
        }
    }
}
