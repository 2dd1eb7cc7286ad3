import WharfHTTP

/// Puts the validators and the locks' tokens of the server at hand into recorded requests.
///
/// A recorded client sends back the ETags, dates and tokens that it was sent then.
struct ValidatorRewriter {
    private var values: [String: String] = [:]
    private var tokens: [String: String] = [:]

    private static let names: Set<String> = [
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
    ]

    /// Learns what a recorded validator is now.
    mutating func learn(_ recorded: HTTPFields, _ present: HTTPFields) {
        for name in [HTTPField.Name.eTag, .lastModified] {
            if let old = recorded[name], let new = present[name] { values[old] = new }
        }
    }

    /// Learns what a token in a recorded body is now.
    mutating func learnTokens(_ recorded: [UInt8], _ present: [UInt8]) {
        guard let old = Self.token(in: recorded), let new = Self.token(in: present) else { return }
        tokens[old] = new
    }

    /// The first URL of a lock (RFC 4918 §6.5), in whatever case.
    private static func token(in body: [UInt8]) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        guard let start = text.firstRange(of: "urn:uuid:") else { return nil }
        let digits = text[start.upperBound...].prefix { $0.isHexDigit || $0 == "-" }
        return digits.count == 36 ? "urn:uuid:" + digits : nil
    }

    /// A request with the values of now in the fields that hold validators.
    func rewrite(_ request: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = request[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[...end]
            rest = rest[(end + 1)...]
            result += rewritten(line)
            // The head ends with an empty line.
            if line.count <= 2 { break }
        }
        return result + rest
    }

    private func rewritten(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return Array(line) }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        if name == "if" || name == "lock-token" { return withTokens(line) }
        guard Self.names.contains(name) else { return Array(line) }
        let text = String(decoding: line[(colon + 1)...], as: UTF8.self)
        let old = text.filter { $0 != "\r\n" && $0 != "\n" }.drop { $0 == " " }
        guard let new = values[String(old)] else { return Array(line) }
        return Array(line[...colon]) + Array(" \(new)\r\n".utf8)
    }

    private func withTokens(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var text = String(decoding: line, as: UTF8.self)
        for (old, new) in tokens { text = text.replacing(old, with: new) }
        return Array(text.utf8)
    }
}
