/// The hash functions of Digest (RFC 7616 §3.3).
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256.
    case sha256 = "SHA-256"
    /// MD5, for old clients only.
    case md5 = "MD5"

    /// The algorithm of a name, in any case of letters; `nil` for one that is not known.
    public init?(name: String) {
        let match = Self.allCases.first { $0.rawValue.lowercasedASCII == name.lowercasedASCII }
        guard let match else { return nil }
        self = match
    }
}
