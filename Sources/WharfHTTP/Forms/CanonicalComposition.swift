/// Brings text into Normalization Form C (Unicode Standard Annex 15), which most systems write.
///
/// Names of files from macOS may come decomposed: the same name to a reader, another one on disk.
enum CanonicalComposition {
    /// The text in normalization form C.
    static func composed(_ text: some StringProtocol) -> String {
        // Below this, everything is composed already.
        if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return String(text) }
        var scalars: [UInt32] = []
        for scalar in text.unicodeScalars { decompose(scalar.value, into: &scalars) }
        order(&scalars)
        var result = String.UnicodeScalarView()
        for value in compose(scalars) {
            if let scalar = Unicode.Scalar(value) { result.append(scalar) }
        }
        return String(result)
    }

    private struct Pair: Hashable {
        let first: UInt32
        let second: UInt32
    }

    /// Lines of the tables: a character, and the one or two that it stands for.
    private static func entries(_ table: String) -> [[UInt32]] {
        table.split(separator: ",").map { entry in
            entry.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0, radix: 16) }
        }
    }

    private static let compositions: [Pair: UInt32] = Dictionary(
        uniqueKeysWithValues: entries(pairs).map { (Pair(first: $0[1], second: $0[2]), $0[0]) })

    private static let decompositions: [UInt32: [UInt32]] = Dictionary(
        uniqueKeysWithValues: (entries(pairs) + entries(others)).map { ($0[0], Array($0[1...])) })

    private static func combiningClass(_ value: UInt32) -> UInt8 {
        Unicode.Scalar(value)?.properties.canonicalCombiningClass.rawValue ?? 0
    }

    private static func decompose(_ value: UInt32, into result: inout [UInt32]) {
        if let syllable = Hangul.decomposed(value) {
            result += syllable
        } else if let parts = decompositions[value] {
            for part in parts { decompose(part, into: &result) }
        } else {
            result.append(value)
        }
    }

    /// Sorts each run of marks by their class; those of one class keep their order.
    private static func order(_ scalars: inout [UInt32]) {
        var start = 0
        while start < scalars.count {
            var end = start
            while end < scalars.count, combiningClass(scalars[end]) != 0 { end += 1 }
            if end - start > 1 {
                let marks = scalars[start..<end].enumerated().sorted {
                    (combiningClass($0.element), $0.offset) < (
                        combiningClass($1.element), $1.offset
                    )
                }
                scalars.replaceSubrange(start..<end, with: marks.map(\.element))
            }
            start = end + 1
        }
    }

    /// Joins each mark with the last character before it that is no mark, if nothing blocks it.
    private static func compose(_ scalars: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var starter: Int?
        var lastClass: UInt8 = 0
        for value in scalars {
            let valueClass = combiningClass(value)
            if let index = starter {
                let isAdjacent = index == result.count - 1
                if isAdjacent || lastClass < valueClass,
                    let composed = Hangul.composed(result[index], value)
                        ?? compositions[Pair(first: result[index], second: value)]
                {
                    result[index] = composed
                    continue
                }
            }
            if valueClass == 0 { starter = result.count }
            lastClass = valueClass
            result.append(value)
        }
        return result
    }
}

/// Korean syllables, which are composed by arithmetic (The Unicode Standard, §3.12).
private enum Hangul {
    private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
    private static let leads: Range<UInt32> = 0x1100..<0x1113
    private static let vowels: Range<UInt32> = 0x1161..<0x1176
    /// The first one stands for none.
    private static let trails: Range<UInt32> = 0x11A7..<0x11C3

    static func decomposed(_ value: UInt32) -> [UInt32]? {
        guard syllables.contains(value) else { return nil }
        let index = value - syllables.lowerBound
        let (pair, trail) = index.quotientAndRemainder(dividingBy: 28)
        let parts = [leads.lowerBound + pair / 21, vowels.lowerBound + pair % 21]
        return trail == 0 ? parts : parts + [trails.lowerBound + trail]
    }

    static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if leads.contains(first), vowels.contains(second) {
            let pair = (first - leads.lowerBound) * 21 + second - vowels.lowerBound
            return syllables.lowerBound + pair * 28
        }
        guard syllables.contains(first), (first - syllables.lowerBound) % 28 == 0,
            trails.dropFirst().contains(second)
        else { return nil }
        return first + second - trails.lowerBound
    }
}
