/// The modules of a QR code: the patterns that cameras look for, and the data around them.
struct QRMatrix {
    let version: QRVersion
    let size: Int
    private(set) var dark: [Bool]
    /// Modules that are not data: masks leave them alone.
    private var isFixed: [Bool]

    /// Places the codewords, unmasked.
    init(_ version: QRVersion, _ codewords: [UInt8]) {
        self.version = version
        size = version.size
        dark = [Bool](repeating: false, count: size * size)
        isFixed = dark
        drawPatterns()
        place(codewords)
    }

    func isDark(_ x: Int, _ y: Int) -> Bool { dark[y * size + x] }

    /// The same with one of the eight masks, and the format that tells which.
    func masked(by mask: Int) -> QRMatrix {
        var masked = self
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x, y) {
                masked.dark[y * size + x].toggle()
            }
        }
        masked.drawFormat(mask)
        return masked
    }

    /// ISO/IEC 18004, table 10.
    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    // MARK: What is fixed

    private mutating func drawPatterns() {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let last = version.alignment.last ?? 0
        for x in version.alignment {
            for y in version.alignment {
                // Not where the finders are.
                if (x, y) == (6, 6) || (x, y) == (6, last) || (x, y) == (last, 6) { continue }
                drawSquare(x, y, radius: 2) { $0 != 1 }
            }
        }
        // Room for the format, which comes with the mask.
        drawFormat(0)
        drawVersion()
    }

    /// A finder and the light line around it.
    private mutating func drawFinder(_ x: Int, _ y: Int) {
        drawSquare(x, y, radius: 4) { $0 != 2 && $0 != 4 }
    }

    /// Fixes the modules around a centre; the closure tells by the ring which are dark.
    private mutating func drawSquare(
        _ x: Int, _ y: Int, radius: Int, isDark: (_ ring: Int) -> Bool
    ) {
        for dy in -radius...radius {
            for dx in -radius...radius {
                fix(x + dx, y + dy, isDark(max(abs(dx), abs(dy))))
            }
        }
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard 0..<size ~= x, 0..<size ~= y else { return }
        dark[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    /// ISO/IEC 18004 §7.9: correction M and the mask, twice, with a BCH code.
    private mutating func drawFormat(_ mask: Int) {
        let bits = (Self.withRemainder(mask, of: 0x537, count: 10)) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(8, index, bit(index)) }
        fix(8, 7, bit(6))
        fix(8, 8, bit(7))
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
        fix(8, size - 8, true)
    }

    /// ISO/IEC 18004 §7.10: from version 7 on, twice.
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = Self.withRemainder(version.number, of: 0x1F25, count: 12)
        for index in 0..<18 {
            let (along, across) = (size - 11 + index % 3, index / 3)
            fix(along, across, bits >> index & 1 == 1)
            fix(across, along, bits >> index & 1 == 1)
        }
    }

    /// A number with `count` bits of a BCH code behind it.
    private static func withRemainder(_ number: Int, of generator: Int, count: Int) -> Int {
        var remainder = number
        for _ in 0..<count {
            remainder = (remainder << 1) ^ ((remainder >> (count - 1)) * generator)
        }
        return number << count | remainder
    }

    // MARK: The data

    /// ISO/IEC 18004 §7.7.3: in columns of two, upwards and downwards in turn, from the right.
    private mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        var right = size - 1
        while right > 0 {
            // The vertical timing pattern.
            if right == 6 { right = 5 }
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * size + x] {
                    guard bit < codewords.count * 8 else { continue }
                    dark[y * size + x] = codewords[bit / 8] >> (7 - UInt8(bit % 8)) & 1 == 1
                    bit += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
    }
}
