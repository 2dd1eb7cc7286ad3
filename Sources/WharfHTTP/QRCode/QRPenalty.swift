/// How hard a masked QR code is to read (ISO/IEC 18004 §7.8.3): the mask with the least is taken.
enum QRPenalty {
    static func of(_ matrix: QRMatrix) -> Int {
        let size = matrix.size
        var penalty = 0
        for index in 0..<size {
            let row = (0..<size).map { matrix.isDark($0, index) }
            let column = (0..<size).map { matrix.isDark(index, $0) }
            penalty += runs(row) + runs(column) + finders(row) + finders(column)
        }
        return penalty + squares(matrix) + imbalance(matrix)
    }

    /// Five and more of one kind in a line.
    private static func runs(_ line: [Bool]) -> Int {
        var penalty = 0
        var length = 1
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                length += 1
                continue
            }
            if length >= 5 { penalty += length - 2 }
            length = 1
        }
        return penalty
    }

    /// What looks like a finder.
    private static func finders(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        return (0...(line.count - 11)).reduce(0) { sum, start in
            let part = Array(line[start..<(start + 11)])
            return sum + (part == light + finder || part == finder + light ? 40 : 0)
        }
    }

    /// Two by two of one kind.
    private static func squares(_ matrix: QRMatrix) -> Int {
        var penalty = 0
        for y in 1..<matrix.size {
            for x in 1..<matrix.size {
                let corner = matrix.isDark(x, y)
                if matrix.isDark(x - 1, y) == corner, matrix.isDark(x, y - 1) == corner,
                    matrix.isDark(x - 1, y - 1) == corner
                {
                    penalty += 3
                }
            }
        }
        return penalty
    }

    /// Each 5 % away from as many dark as light ones.
    private static func imbalance(_ matrix: QRMatrix) -> Int {
        let darkCount = matrix.dark.count { $0 }
        return abs(darkCount * 20 - matrix.dark.count * 10) / matrix.dark.count * 10
    }
}
