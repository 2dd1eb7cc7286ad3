extension Challenge {
    /// Challenges that are read of one value; what comes beyond them is not looked at.
    public static let countMax = 16
    private static let parameterCountMax = 32

    /// Reads the value of a WWW-Authenticate field: any number of challenges.
    ///
    /// What is malformed ends the list: the challenges before it are answered. Commas separate
    /// both challenges and parameters, so a name without an equals sign begins a challenge.
    public static func parse(_ value: String) -> [Challenge] {
        var scanner = ParameterScanner(Array(value.utf8))
        var challenges: [Challenge] = []
        while challenges.count < countMax {
            while scanner.skipsSeparator() {}
            guard let challenge = scanner.challenge(parameterCountMax) else { break }
            challenges.append(challenge)
        }
        return challenges
    }
}

extension ParameterScanner {
    /// Skips white space, or a comma: whether there was one.
    fileprivate mutating func skipsSeparator() -> Bool {
        skipWhitespace()
        return take(ASCII.comma)
    }

    /// One challenge with all that belongs to it.
    fileprivate mutating func challenge(_ parameterCountMax: Int) -> Challenge? {
        guard let scheme = token() else { return nil }
        guard next == ASCII.space else {
            guard isAtEnd || next == ASCII.comma else { return nil }
            return Challenge(scheme, .parameters([]))
        }
        skipWhitespace()
        if let token = token68() { return Challenge(scheme, .token(token)) }
        var parameters: [Challenge.Parameter] = []
        while parameters.count < parameterCountMax {
            var ahead = self
            while ahead.skipsSeparator() {}
            guard let parameter = ahead.authParameter() else { break }
            self = ahead
            parameters.append(
                Challenge.Parameter(
                    parameter.name, parameter.value, isQuoted: parameter.isQuoted))
            skipWhitespace()
            guard isAtEnd || next == ASCII.comma else { return nil }
        }
        return Challenge(scheme, .parameters(parameters))
    }

    /// Text in the manner of base 64 that nothing but the list's next element follows.
    private mutating func token68() -> String? {
        var ahead = self
        var text: [UInt8] = []
        while let byte = ahead.next, Self.isToken68(byte) {
            text.append(byte)
            _ = ahead.take(byte)
        }
        while ahead.take(ASCII.equals) { text.append(ASCII.equals) }
        guard !text.isEmpty else { return nil }
        ahead.skipWhitespace()
        // `Name=` followed by a value is a parameter.
        guard ahead.isAtEnd || ahead.next == ASCII.comma else { return nil }
        self = ahead
        return String(decoding: text, as: UTF8.self)
    }

    /// RFC 9110 §11.2.
    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, ASCII.zero...ASCII.nine: true
        case ASCII.hyphen, ASCII.dot, 0x5F, 0x7E, 0x2B, ASCII.slash: true
        default: false
        }
    }
}
