import WharfHTTP

/// Puts the validators of the server at hand into recorded requests.
///
/// A recorded client sends back the ETags and dates that it was sent then.
struct ValidatorRewriter {
    private var values: [String: String] = [:]

    private static let names: Set<String> = [
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
    ]

    /// Learns what a recorded validator is now.
    mutating func learn(_ recorded: HTTPFields, _ present: HTTPFields) {
        for name in [HTTPField.Name.eTag, .lastModified] {
            if let old = recorded[name], let new = present[name] { values[old] = new }
        }
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
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            Self.names.contains(String(decoding: line[..<colon], as: UTF8.self).lowercased())
        else { return Array(line) }
        let text = String(decoding: line[(colon + 1)...], as: UTF8.self)
        let old = text.filter { $0 != "\r\n" && $0 != "\n" }.drop { $0 == " " }
        guard let new = values[String(old)] else { return Array(line) }
        return Array(line[...colon]) + Array(" \(new)\r\n".utf8)
    }
}
