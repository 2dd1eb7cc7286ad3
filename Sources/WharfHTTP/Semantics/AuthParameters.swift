/// The parameters of credentials: `name=value` or `name="value"`, between commas (RFC 9110 §11.4).
struct AuthParameters {
    private var values: [String: String] = [:]

    /// Reads a whole list, or answers `nil` if it is malformed or has a name twice.
    static func read(_ bytes: some Collection<UInt8>, countMax: Int) -> AuthParameters? {
        var scanner = ParameterScanner(Array(bytes))
        var parameters = AuthParameters()
        while true {
            scanner.skipWhitespace()
            // RFC 9110 §5.6.1.2: empty elements of a list are skipped.
            if scanner.take(ASCII.comma) { continue }
            if scanner.isAtEnd { return parameters }
            guard parameters.values.count < countMax, let parameter = scanner.authParameter(),
                parameters.values.updateValue(
                    parameter.value, forKey: parameter.name.lowercasedASCII) == nil
            else { return nil }
            scanner.skipWhitespace()
            guard scanner.isAtEnd || scanner.next == ASCII.comma else { return nil }
        }
    }

    /// The value of a name in lower case.
    mutating func take(_ name: String) -> String? {
        values.removeValue(forKey: name)
    }
}

extension ParameterScanner {
    /// One parameter; white space around the equals sign is allowed (RFC 9110 §11.2).
    mutating func authParameter() -> (name: String, value: String, isQuoted: Bool)? {
        guard let name = token() else { return nil }
        skipWhitespace()
        guard take(ASCII.equals) else { return nil }
        skipWhitespace()
        let isQuoted = next == ASCII.quote
        guard let value = isQuoted ? quotedString() : token() else { return nil }
        return (name, value, isQuoted)
    }
}
