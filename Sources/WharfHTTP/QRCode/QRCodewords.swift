/// The bytes of a QR code: what it says, filled up, and what corrects it (ISO/IEC 18004 §7.4, §7.5).
enum QRCodewords {
    /// All codewords in the order in which they are placed.
    static func make(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        let blocks = split(data(bytes, version), version)
        let corrections = blocks.map { correction($0, version.correctionCount) }
        // Interleaved, so that a stain takes a little of each block.
        return interleave(blocks) + interleave(corrections)
    }

    private static func data(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        var bits = Bits()
        // Mode "byte".
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: version.lengthBitCount)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        bits.append(0, count: min(4, version.dataCount * 8 - bits.count))
        var data = bits.bytes
        var filler: UInt8 = 0xEC
        while data.count < version.dataCount {
            data.append(filler)
            filler ^= 0xEC ^ 0x11
        }
        return data
    }

    /// The blocks; the last ones may be one longer.
    private static func split(_ data: [UInt8], _ version: QRVersion) -> [[UInt8]] {
        let shortCount = version.blockCount - data.count % version.blockCount
        let length = data.count / version.blockCount
        var blocks: [[UInt8]] = []
        var start = 0
        for index in 0..<version.blockCount {
            let end = start + length + (index < shortCount ? 0 : 1)
            blocks.append(Array(data[start..<end]))
            start = end
        }
        return blocks
    }

    private static func interleave(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in
            blocks.compactMap { index < $0.count ? $0[index] : nil }
        }
    }

    // MARK: Reed-Solomon over GF(256)

    /// The remainder of the block's polynomial by the generator's.
    static func correction(_ block: [UInt8], _ count: Int) -> [UInt8] {
        let generator = generator(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in block {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// The coefficients below the leading 1 of the product of (x - 2^i).
    private static func generator(_ count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        result[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                result[index] = product(result[index], root)
                if index + 1 < count { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    /// Multiplies modulo x^8 + x^4 + x^3 + x^2 + 1.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in stride(from: 7, through: 0, by: -1) {
            result = (result << 1) ^ ((result >> 7) * 0x11D)
            result ^= (Int(right) >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }

    private struct Bits {
        var bytes: [UInt8] = []
        var count = 0

        mutating func append(_ value: Int, count added: Int) {
            for bit in stride(from: added - 1, through: 0, by: -1) {
                if count % 8 == 0 { bytes.append(0) }
                if value >> bit & 1 == 1 { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
                count += 1
            }
        }
    }
}
