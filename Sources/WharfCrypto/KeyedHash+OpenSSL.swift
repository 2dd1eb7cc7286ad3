#if canImport(COpenSSL)
    internal import COpenSSL

    /// HMAC-SHA-256 (RFC 2104) under one key, for many short messages.
    ///
    /// The key is worked in once; each message costs what is left: about a quarter of ``HMAC``.
    @safe package final class KeyedHash: @unchecked Sendable {
        // Sendable: both contexts are only copied from after `init`.
        private let inner: OpaquePointer?
        private let outer: OpaquePointer?

        /// Works a key in.
        ///
        /// Traps if OpenSSL has no memory.
        package init(key: [UInt8]) {
            // RFC 2104 §2: a key longer than a block is hashed first, a shorter one padded.
            var block = key.count > Self.blockSize ? Hash.digest(.sha256, of: key) : key
            block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
            unsafe inner = Self.context(after: block.map { $0 ^ 0x36 })
            unsafe outer = Self.context(after: block.map { $0 ^ 0x5C })
        }

        deinit {
            unsafe EVP_MD_CTX_free(inner)
            unsafe EVP_MD_CTX_free(outer)
        }

        /// The code of a message: 32 bytes.
        package func code(of message: borrowing Span<UInt8>) -> [UInt8] {
            let context = unsafe EVP_MD_CTX_new()
            defer { unsafe EVP_MD_CTX_free(context) }
            var code = [UInt8](repeating: 0, count: 32)
            // The pointers are used inside the calls only; the code has the length of a digest.
            let isDone = unsafe message.withUnsafeBufferPointer { message in
                unsafe code.withUnsafeMutableBufferPointer { code in
                    unsafe EVP_MD_CTX_copy_ex(context, inner) == 1
                        && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
                        && EVP_DigestFinal_ex(context, code.baseAddress, nil) == 1
                        && EVP_MD_CTX_copy_ex(context, outer) == 1
                        && EVP_DigestUpdate(context, code.baseAddress, code.count) == 1
                        && EVP_DigestFinal_ex(context, code.baseAddress, nil) == 1
                }
            }
            precondition(isDone, "OpenSSL cannot compute an HMAC")
            return code
        }

        private static let blockSize = 64

        private static func context(after block: [UInt8]) -> OpaquePointer? {
            let context = unsafe EVP_MD_CTX_new()
            // The pointer is used inside the call only.
            let isReady = unsafe block.withUnsafeBufferPointer {
                unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
                    && EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1
            }
            precondition(isReady, "OpenSSL cannot compute an HMAC")
            return unsafe context
        }
    }
#endif
