import WharfCrypto
import WharfHTTP

/// The proof that a server has understood a handshake (RFC 6455 §4.2.2).
package enum WebSocketKey {
    /// A new key, of sixteen random bytes.
    package static func make(randomBytes: (Int) -> [UInt8]) -> String {
        Base64.encode(randomBytes(16))
    }

    /// Whether it is the base 64 of sixteen bytes (RFC 6455 §4.2.1).
    static func isValid(_ key: String) -> Bool {
        key.utf8.count == 24 && Base64.decode(key.utf8)?.count == 16
    }

    /// What the server answers to a key.
    package static func accept(_ key: String) -> String {
        let proof = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Base64.encode(Hash.digest(.sha1, of: Array(proof.utf8)))
    }
}
