import WharfCrypto

/// Makes the tokens of locks.
package enum LockToken {
    /// A token that nobody has seen before and nobody can guess (RFC 4918 §6.5, RFC 9562 §5.4).
    package static func make() -> String {
        var bytes = Random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = "urn:uuid:"
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
        return text
    }
}
