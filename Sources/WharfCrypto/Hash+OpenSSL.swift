#if canImport(COpenSSL)
    internal import COpenSSL

    /// A hash being computed.
    ///
    /// Not copyable: it owns OpenSSL's context, and frees it.
    @safe package struct Hash: ~Copyable, @unchecked Sendable {
        // Sendable: the context is this value's alone, and the value is not copyable.
        private let context: OpaquePointer?
        private let byteCount: Int

        /// A hash of nothing yet.
        ///
        /// Traps if OpenSSL has no memory or lacks the algorithm.
        package init(_ algorithm: HashAlgorithm) {
            byteCount = algorithm.byteCount
            unsafe context = EVP_MD_CTX_new()
            let isReady = unsafe EVP_DigestInit_ex(context, algorithm.evp, nil) == 1
            precondition(isReady, "OpenSSL cannot hash")
        }

        deinit { unsafe EVP_MD_CTX_free(context) }

        /// Adds bytes.
        package mutating func update(_ bytes: borrowing Span<UInt8>) {
            // The pointer is used inside the call only.
            let isDone = unsafe bytes.withUnsafeBufferPointer {
                unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1
            }
            precondition(isDone, "OpenSSL cannot hash")
        }

        /// The digest of everything added.
        package consuming func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: byteCount)
            // The digest has exactly the length that OpenSSL writes.
            let isDone = unsafe digest.withUnsafeMutableBufferPointer {
                unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil) == 1
            }
            precondition(isDone, "OpenSSL cannot hash")
            return digest
        }
    }

    extension HashAlgorithm {
        // The tables that OpenSSL returns live as long as the process.
        fileprivate var evp: OpaquePointer? {
            switch self {
            case .md5: unsafe EVP_md5()
            case .sha1: unsafe EVP_sha1()
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            }
        }
    }

    /// Keyed hashes (RFC 2104).
    package enum HMAC {
        /// The HMAC-SHA-256 of a message: 32 bytes.
        package static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
            var code = [UInt8](repeating: 0, count: 32)
            // The pointers are used inside the call only, with the counts of their arrays.
            let isDone = unsafe code.withUnsafeMutableBufferPointer { target in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe message.withUnsafeBufferPointer { message in
                        unsafe COpenSSL.HMAC(
                            EVP_sha256(), key.baseAddress, Int32(clamping: key.count),
                            message.baseAddress, message.count, target.baseAddress, nil) != nil
                    }
                }
            }
            precondition(isDone, "OpenSSL cannot compute an HMAC")
            return code
        }
    }

    /// Randomness for secrets.
    package enum Random {
        /// Bytes that nobody can guess.
        ///
        /// Traps if the system has none: there is no safe way on.
        package static func bytes(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            // The pointer is used inside the call only.
            let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
                unsafe RAND_bytes($0.baseAddress, Int32(clamping: $0.count)) == 1
            }
            precondition(isDone, "OpenSSL has no randomness")
            return bytes
        }
    }
#endif
