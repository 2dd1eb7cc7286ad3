/// A text as a square of dark and light modules that a camera can read (ISO/IEC 18004).
///
/// It holds bytes (UTF-8), with error correction M: 15 % of it may be dirty. That is for URLs: at
/// most 213 bytes, 57 modules a side. Around it belong four light modules on each side.
package struct QRCode: Sendable, Equatable {
    /// Modules a side: 21 to 57.
    package let size: Int
    private let dark: [Bool]

    /// Bytes that fit.
    package static let byteCountMax = 213

    /// Makes the smallest code for a text; `nil` when it is longer than ``byteCountMax`` bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
        let codewords = QRCodewords.make(bytes, version)
        var best: (penalty: Int, matrix: QRMatrix)?
        let plain = QRMatrix(version, codewords)
        for mask in 0..<8 {
            let matrix = plain.masked(by: mask)
            let penalty = QRPenalty.of(matrix)
            if penalty < best?.penalty ?? .max { best = (penalty, matrix) }
        }
        guard let matrix = best?.matrix else { return nil }
        size = matrix.size
        dark = matrix.dark
    }

    /// Whether a module is dark; outside of the code all are light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        guard 0..<size ~= x, 0..<size ~= y else { return false }
        return dark[y * size + x]
    }

    /// The dark modules as the path of an SVG, one unit a module, the upper left corner at 0,0.
    package var svgPath: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while isDark(x, y) { x += 1 }
                if x > start { path += "M\(start) \(y)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        return path
    }
}
