// The few places where the codecs touch memory without a bounds check of their own. Each reads
// inside a buffer whose length it has just asked for, and keeps no pointer.

extension [UInt8] {
    /// Copies `range` of a span in one block move.
    @inline(__always)
    init(copying span: borrowing Span<UInt8>, _ range: Range<Int>) {
        let part = span.extracting(range)
        // `extracting` has checked the range; the pointer does not leave the closure.
        self = unsafe part.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends `range` of a span in one block move.
    @inline(__always)
    mutating func append(copying span: borrowing Span<UInt8>, _ range: Range<Int>) {
        let part = span.extracting(range)
        // `extracting` has checked the range; the pointer does not leave the closure.
        unsafe part.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends all of a span in one block move.
    package mutating func append(allOf span: borrowing Span<UInt8>) {
        // The pointer does not leave the closure.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends the bytes of a literal.
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        // A StaticString is immortal and states its own length.
        unsafe append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends CR LF: two bytes cost less than a text of two.
    package mutating func appendLineEnd() {
        append(ASCII.carriageReturn)
        append(ASCII.lineFeed)
    }

    /// Appends a number in decimal.
    package mutating func append(decimal number: Int64) {
        // Most lengths are short.
        if number >= 0, number < 100 {
            let (tens, ones) = UInt8(number).quotientAndRemainder(dividingBy: 10)
            if tens > 0 { append(ASCII.zero + tens) }
            append(ASCII.zero + ones)
            return
        }
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var rest = number.magnitude
        var count = 0
        if number < 0 { append(ASCII.hyphen) }
        // Twenty digits at most, packed eight to a word, the last digit lowest.
        repeat {
            let digit = UInt64(ASCII.zero) + rest % 10
            switch count >> 3 {
            case 0: digits.0 |= digit &<< UInt64((count & 7) * 8)
            case 1: digits.1 |= digit &<< UInt64((count & 7) * 8)
            default: digits.2 |= digit &<< UInt64((count & 7) * 8)
            }
            rest /= 10
            count += 1
        } while rest > 0
        while count > 0 {
            count -= 1
            let word = count >> 3 == 0 ? digits.0 : count >> 3 == 1 ? digits.1 : digits.2
            append(UInt8(truncatingIfNeeded: word &>> UInt64((count & 7) * 8)))
        }
    }
}

extension Span<UInt8> {
    /// The eight bytes from `index` as one word, the first byte lowest; traps when they are not
    /// all there.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        // Checked against the bounds; every bit pattern is a UInt64.
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(
                fromByteOffset: index, as: UInt64.self))
    }

    /// The sixteen bytes from `index`; traps when they are not all there.
    @inline(__always)
    func vector(at index: Int) -> SIMD16<UInt8> {
        // Checked against the bounds; every bit pattern is a vector of bytes.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    }

    /// Whether `range` is `text` but for the case of ASCII letters; `text` is in lower case.
    @inline(__always)
    func matches(_ range: Range<Int>, _ text: StaticString) -> Bool {
        // A StaticString is immortal and states its own length.
        unsafe matches(
            range, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Whether `range` is `text` but for the case of ASCII letters; `text` is in lower case.
    func matches(_ range: Range<Int>, lowercased text: String) -> Bool {
        // The pointer does not leave the closure. A text from elsewhere may have no storage.
        let isMatch = unsafe text.utf8.withContiguousStorageIfAvailable {
            unsafe matches(range, $0)
        }
        return isMatch
            ?? range.elementsEqual(text.utf8) { ASCII.lowercased(self[$0]) == $1 }
    }

    @inline(__always)
    private func matches(_ range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == text.count else { return false }
        let part = extracting(range)
        var offset = 0
        while offset < part.count {
            // `offset` is below the length of both.
            guard unsafe ASCII.lowercased(part[offset]) == text[offset] else { return false }
            offset &+= 1
        }
        return true
    }

    /// Narrows a range to what lies between leading and trailing white space (RFC 9110 §5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, ASCII.isWhitespace(self[lower]) { lower += 1 }
        while upper > lower, ASCII.isWhitespace(self[upper - 1]) { upper -= 1 }
        return lower..<upper
    }
}

extension String {
    /// Text of bytes known to be ASCII; up to 15 of them cost no allocation.
    init(ascii bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
        let part = bytes.extracting(range)
        // The buffer has room for the whole part, which is copied in one block.
        self = unsafe String(unsafeUninitializedCapacity: part.count) { target in
            unsafe part.withUnsafeBufferPointer { source in
                unsafe target.initialize(fromContentsOf: source)
            }
        }
    }

    /// Text of bytes of unknown encoding: UTF-8 if they are, else ISO-8859-1 (RFC 9110 §5.5).
    init(fieldBytes bytes: ArraySlice<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            var scalars = String.UnicodeScalarView()
            for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
            self = String(scalars)
        }
    }
}
