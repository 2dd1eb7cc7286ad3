/// The field Upload-Checksum of tus 1.0: an algorithm's name and the digest in base 64.
package struct TusChecksum: Sendable, Hashable {
    /// The name, as it was sent.
    package let algorithm: String
    /// The digest.
    package let digest: [UInt8]

    /// Takes a field's value apart; nil for one that is malformed.
    package init?(parsing value: some StringProtocol) {
        let words = value.utf8.split(separator: ASCII.space, omittingEmptySubsequences: false)
        guard words.count == 2, !words[0].isEmpty, words[0].allSatisfy({ ASCII.isToken($0) }),
            let digest = Base64.decode(words[1]), !digest.isEmpty
        else { return nil }
        algorithm = String(decoding: words[0], as: UTF8.self)
        self.digest = digest
    }
}
