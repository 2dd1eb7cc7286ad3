/// The field Upload-Metadata of tus 1.0: pairs of a key and a value, which is sent in base 64.
///
///     Upload-Metadata: filename d29ybGQudHh0,is_confidential
package struct TusMetadata: Sendable, Hashable {
    /// The values by their keys; one that was left out is empty.
    package private(set) var values: [String: [UInt8]] = [:]

    /// Bytes of the field, and pairs in it: more are refused.
    package static let byteCountMax = 16 * 1024
    package static let pairCountMax = 64

    /// Takes a field's value apart; nil for one that is malformed, too long, or has a key twice.
    ///
    /// Keys have no spaces and no commas, and only ASCII. An empty field has no pairs.
    package init?(parsing value: some StringProtocol) {
        guard value.utf8.count <= Self.byteCountMax else { return nil }
        guard value.utf8.contains(where: { $0 != ASCII.space }) else { return }
        let pairs = value.utf8.split(separator: ASCII.comma, omittingEmptySubsequences: false)
        guard pairs.count <= Self.pairCountMax else { return nil }
        for pair in pairs {
            let words = pair.split(separator: ASCII.space)
            guard let key = words.first, words.count <= 2, key.allSatisfy(Self.isKey) else {
                return nil
            }
            let name = String(decoding: key, as: UTF8.self)
            guard values[name] == nil,
                let bytes = words.count == 2 ? Base64.decode(words[1]) : []
            else { return nil }
            values[name] = bytes
        }
    }

    private static func isKey(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// The value of the first of some keys that has one that is text.
    package func text(_ keys: String...) -> String? {
        for key in keys {
            guard let bytes = values[key], !bytes.isEmpty,
                let text = String(validating: bytes, as: UTF8.self)
            else { continue }
            return text
        }
        return nil
    }
}
