#if !canImport(COpenSSL) && canImport(CryptoKit)
    internal import CryptoKit

    /// HMAC-SHA-256 (RFC 2104) under one key, for many short messages.
    ///
    /// The key is worked in once.
    package final class KeyedHash: Sendable {
        private let keyed: CryptoKit.HMAC<SHA256>

        /// Works a key in.
        package init(key: [UInt8]) {
            keyed = CryptoKit.HMAC<SHA256>(key: SymmetricKey(data: key))
        }

        /// The code of a message: 32 bytes.
        package func code(of message: borrowing Span<UInt8>) -> [UInt8] {
            var copy = keyed
            // The pointer is used inside the call only.
            copy.update(data: unsafe message.withUnsafeBufferPointer { unsafe Array($0) })
            return Array(copy.finalize())
        }
    }
#endif
