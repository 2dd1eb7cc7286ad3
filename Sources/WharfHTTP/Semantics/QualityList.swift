/// A list of what a client takes, each with a weight: the value of Accept, Accept-Encoding and
/// the like (RFC 9110 §12.4.2).
struct QualityList: Sendable, Hashable {
    /// One element of the list.
    struct Item: Sendable, Hashable {
        /// What stands before the first semicolon, in lower case.
        let name: String
        /// Parameters before the weight, names in lower case.
        let parameters: [MediaType.Parameter]
        /// The weight in thousandths, 0 to 1000; 0: it is not wanted.
        let quality: Int
    }

    let items: [Item]

    /// Elements beyond these are not looked at.
    static let itemCountMax = 64

    /// Reads a list.
    ///
    /// Elements that are malformed or empty are left out (RFC 9110 §5.6.1.2).
    init(parsing text: some StringProtocol) {
        let parts = Self.split(Array(text.utf8))
        items = parts.prefix(Self.itemCountMax).compactMap { Self.item(Array($0)) }
    }

    /// The elements: a comma in a quoted string separates nothing.
    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        var isEscaped = false
        return bytes.split { byte in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.quote {
                isQuoted.toggle()
            }
            return byte == ASCII.comma && !isQuoted
        }
    }

    private static func item(_ bytes: [UInt8]) -> Item? {
        var scanner = ParameterScanner(bytes)
        scanner.skipWhitespace()
        guard var name = scanner.token() else { return nil }
        if scanner.take(ASCII.slash) {
            guard let subtype = scanner.token() else { return nil }
            name += "/" + subtype
        }
        var parameters: [MediaType.Parameter] = []
        var quality: Int?
        while true {
            scanner.skipWhitespace()
            if scanner.isAtEnd { break }
            guard scanner.take(ASCII.semicolon) else { return nil }
            scanner.skipWhitespace()
            if scanner.isAtEnd || scanner.next == ASCII.semicolon { continue }
            guard parameters.count < 32, let parameter = scanner.parameter() else { return nil }
            let parameterName = parameter.name.lowercasedASCII
            // What follows the weight once were extensions, and says nothing any more.
            if quality != nil { continue }
            if parameterName == "q" {
                guard let weight = weight(Array(parameter.value.utf8)) else { return nil }
                quality = weight
            } else {
                parameters.append(.init(name: parameterName, value: parameter.value))
            }
        }
        return Item(name: name.lowercasedASCII, parameters: parameters, quality: quality ?? 1000)
    }

    /// `0`, `0.5`, `1.000`: at most three digits behind the point.
    private static func weight(_ bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, first == ASCII.zero || first == ASCII.zero + 1 else {
            return nil
        }
        var value = Int(first - ASCII.zero) * 1000
        guard bytes.count > 1 else { return value }
        guard bytes[1] == ASCII.dot, bytes.count <= 5 else { return nil }
        var unit = 100
        for byte in bytes[2...] {
            guard ASCII.isDigit(byte) else { return nil }
            value += Int(byte - ASCII.zero) * unit
            unit /= 10
        }
        return value <= 1000 ? value : nil
    }
}
