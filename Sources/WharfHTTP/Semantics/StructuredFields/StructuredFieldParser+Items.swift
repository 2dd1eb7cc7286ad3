/// How bare items are read (RFC 9651 §4.2.3.1 and what follows).
extension StructuredFieldParser {
    mutating func bareItem() throws(StructuredFieldError) -> StructuredValue {
        guard let next else { throw StructuredFieldError() }
        switch next {
        case ASCII.hyphen, ASCII.zero...ASCII.nine: return try number()
        case 0x22: return .string(try string())
        case 0x2A, 0x41...0x5A, 0x61...0x7A: return .token(token())
        case ASCII.colon: return .bytes(try byteSequence())
        case 0x3F: return .boolean(try boolean())
        case 0x40: return .date(try date())
        case 0x25: return .displayString(try displayString())
        default: throw StructuredFieldError()
        }
    }

    /// §4.2.4: 15 digits, or 12 and three behind the point; so nothing overflows.
    private mutating func number() throws(StructuredFieldError) -> StructuredValue {
        let sign: Int64 = take(ASCII.hyphen) ? -1 : 1
        let (whole, count) = digits(countMax: 16)
        guard (1...15).contains(count) else { throw StructuredFieldError() }
        guard take(ASCII.dot) else { return .integer(sign * whole) }
        guard count <= 12 else { throw StructuredFieldError() }
        let (fraction, fractionCount) = digits(countMax: 4)
        switch fractionCount {
        case 1: return .decimal(thousandths: sign * (whole * 1000 + fraction * 100))
        case 2: return .decimal(thousandths: sign * (whole * 1000 + fraction * 10))
        case 3: return .decimal(thousandths: sign * (whole * 1000 + fraction))
        default: throw StructuredFieldError()
        }
    }

    private mutating func digits(countMax: Int) -> (value: Int64, count: Int) {
        var value: Int64 = 0
        var count = 0
        while count < countMax, let byte = next, (ASCII.zero...ASCII.nine).contains(byte) {
            value = value * 10 + Int64(byte - ASCII.zero)
            count += 1
            index += 1
        }
        return (value, count)
    }

    /// §4.2.5.
    private mutating func string() throws(StructuredFieldError) -> String {
        try expect(0x22)
        var content: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case 0x22: return String(decoding: content, as: UTF8.self)
            case 0x5C:
                guard let escaped = next, escaped == 0x22 || escaped == 0x5C else {
                    throw StructuredFieldError()
                }
                index += 1
                content.append(escaped)
            case 0x20...0x7E: content.append(byte)
            default: throw StructuredFieldError()
            }
        }
        throw StructuredFieldError()
    }

    /// §4.2.6.
    private mutating func token() -> String {
        let start = index
        while let byte = next, ASCII.isToken(byte) || byte == ASCII.colon || byte == ASCII.slash {
            index += 1
        }
        return text(start..<index)
    }

    /// §4.2.7.
    private mutating func byteSequence() throws(StructuredFieldError) -> [UInt8] {
        try expect(ASCII.colon)
        let start = index
        while let byte = next, byte != ASCII.colon { index += 1 }
        let end = index
        try expect(ASCII.colon)
        guard let decoded = Base64.decode(bytes[start..<end]) else { throw StructuredFieldError() }
        return decoded
    }

    /// §4.2.8.
    private mutating func boolean() throws(StructuredFieldError) -> Bool {
        try expect(0x3F)
        if take(ASCII.zero + 1) { return true }
        try expect(ASCII.zero)
        return false
    }

    /// §4.2.9.
    private mutating func date() throws(StructuredFieldError) -> Int64 {
        try expect(0x40)
        guard next == ASCII.hyphen || next.map((ASCII.zero...ASCII.nine).contains) ?? false,
            case .integer(let seconds) = try number()
        else { throw StructuredFieldError() }
        return seconds
    }

    /// §4.2.10: percent-encoded UTF-8, with digits in small letters only.
    private mutating func displayString() throws(StructuredFieldError) -> String {
        try expect(0x25)
        try expect(0x22)
        var content: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case 0x22:
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw StructuredFieldError()
                }
                return text
            case 0x25:
                let (high, low) = (try smallHexDigit(), try smallHexDigit())
                content.append(high << 4 | low)
            case 0x20...0x7E: content.append(byte)
            default: throw StructuredFieldError()
            }
        }
        throw StructuredFieldError()
    }

    private mutating func smallHexDigit() throws(StructuredFieldError) -> UInt8 {
        guard let byte = next, let value = ASCII.hexValue(byte), !(0x41...0x46).contains(byte)
        else {
            throw StructuredFieldError()
        }
        index += 1
        return value
    }
}
