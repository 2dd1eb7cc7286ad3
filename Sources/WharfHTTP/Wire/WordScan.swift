/// Eight bytes looked at at once, for the two scans that most of a head goes through.
///
/// Each answers with a mask that is zero if all eight bytes pass. Else its lowest set bit lies in
/// the first byte that does not: a borrow runs upwards only, so what is below it is exact.
enum WordScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// What is no field content (RFC 9110 §5.5); the tab, too, counts as none here.
    @inline(__always)
    static func notContent(_ word: UInt64) -> UInt64 {
        // A byte below 0x20 borrows into its top bit, and so does a DEL that was made zero.
        let low = (word &- ones &* 0x20) & ~word
        let zeroed = word ^ (ones &* 0x7F)
        return (low | ((zeroed &- ones) & ~zeroed)) & tops
    }

    /// What cannot stand in a request target.
    @inline(__always)
    static func notTarget(_ word: UInt64) -> UInt64 {
        // A byte of 0x80 and more has its top bit set; each other case borrows into it.
        let low = word &- ones &* 0x21
        let deleted = (word ^ (ones &* 0x7F)) &- ones
        let hash = (word ^ (ones &* 0x23)) &- ones
        return (word | low | deleted | hash) & tops
    }

    /// How many bytes lie before the one that a mask points at.
    @inline(__always)
    static func count(before mask: UInt64) -> Int {
        mask.trailingZeroBitCount >> 3
    }
}

extension WordScan {
    /// The first lane that is set, or 16.
    @inline(__always)
    static func firstLane(_ mask: SIMDMask<SIMD16<Int8>>) -> Int {
        // A lane of a mask is eight bits, all or none of them set.
        let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        if words[0] | words[1] == 0 { return 16 }
        let low = UInt64(littleEndian: words[0])
        let high = UInt64(littleEndian: words[1])
        return low != 0 ? count(before: low) : 8 &+ count(before: high)
    }
}
