/// A size of QR codes, with error correction M: numbers of ISO/IEC 18004, tables 1, 9 and E.1.
struct QRVersion: Sendable {
    /// 1 to 10.
    let number: Int
    /// All codewords, data and error correction.
    let codewordCount: Int
    let blockCount: Int
    /// Codewords of error correction in each block.
    let correctionCount: Int
    /// Where the centres of alignment patterns lie, in both directions.
    let alignment: [Int]

    /// Modules a side.
    var size: Int { 17 + 4 * number }

    var dataCount: Int { codewordCount - blockCount * correctionCount }

    /// Bits that tell how many bytes there are.
    var lengthBitCount: Int { number < 10 ? 8 : 16 }

    /// The smallest that holds so many bytes.
    static func smallest(for byteCount: Int) -> QRVersion? {
        all.first { 4 + $0.lengthBitCount + 8 * byteCount <= 8 * $0.dataCount }
    }

    static let all: [QRVersion] = [
        row(1, 26, 1, 10, []), row(2, 44, 1, 16, [6, 18]), row(3, 70, 1, 26, [6, 22]),
        row(4, 100, 2, 18, [6, 26]), row(5, 134, 2, 24, [6, 30]), row(6, 172, 4, 16, [6, 34]),
        row(7, 196, 4, 18, [6, 22, 38]), row(8, 242, 4, 22, [6, 24, 42]),
        row(9, 292, 5, 22, [6, 26, 46]), row(10, 346, 5, 26, [6, 28, 50]),
    ]

    private static func row(
        _ number: Int, _ codewordCount: Int, _ blockCount: Int, _ correctionCount: Int,
        _ alignment: [Int]
    ) -> QRVersion {
        QRVersion(
            number: number, codewordCount: codewordCount, blockCount: blockCount,
            correctionCount: correctionCount, alignment: alignment)
    }
}
