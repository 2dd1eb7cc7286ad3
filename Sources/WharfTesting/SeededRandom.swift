/// Numbers that look random and are the same for the same seed, on every machine (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to the bound, which is not among them.
    ///
    /// The bound is at least 1.
    package mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "there is no number below \(bound)")
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number of the range.
    package mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// True once in `count` times.
    package mutating func isOne(in count: Int) -> Bool {
        below(count) == 0
    }

    /// One of the values, of which there is at least one.
    package mutating func pick<Value>(_ values: [Value]) -> Value {
        values[below(values.count)]
    }

    /// Bytes of any value.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            unsafe withUnsafeBytes(of: next().littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Another sequence: what is drawn from it does not move this one on.
    package mutating func fork() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
