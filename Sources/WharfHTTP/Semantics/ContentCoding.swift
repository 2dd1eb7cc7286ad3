/// A way to send content in fewer bytes (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    case gzip
    /// What HTTP calls so: with zlib's header, not bare.
    case deflate

    /// The coding of a name, `x-gzip` among them (RFC 9110 §8.4.1.3); nil for others.
    package init?(name: some StringProtocol) {
        let name = String(name).lowercasedASCII
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// How zlib wraps it.
    package var format: CompressionFormat {
        switch self {
        case .gzip: .gzip
        case .deflate: .zlib
        }
    }
}

extension AcceptedEncodings {
    /// What to send of something that can be had in each coding, and as it is.
    package enum Choice: Sendable, Hashable {
        case coding(ContentCoding)
        case identity
        /// The client takes none of them.
        case nothing
    }

    /// What the client wants most; among equals gzip, then deflate, then none (§12.5.3).
    package var choice: Choice {
        let isDeflateBetter = quality(of: "deflate") > quality(of: "gzip")
        let coding = isDeflateBetter ? ContentCoding.deflate : .gzip
        if prefers(coding.rawValue) { return .coding(coding) }
        return quality(of: "identity") > 0 ? .identity : .nothing
    }
}
