#if canImport(COpenSSL)
    internal import COpenSSL

    extension KeyDerivation {
        /// PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2).
        ///
        /// `nil` when there are no iterations, or OpenSSL has no memory.
        package static func pbkdf2SHA256(
            password: [UInt8], salt: [UInt8], iterationCount: Int, byteCount: Int
        ) -> [UInt8]? {
            guard let iterations = Int32(exactly: iterationCount), iterations > 0 else {
                return nil
            }
            var key = [UInt8](repeating: 0, count: byteCount)
            // The pointers are used inside the call only, with the counts of their arrays.
            let isDone = unsafe withSecret(password) { password in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe key.withUnsafeMutableBufferPointer { key in
                        unsafe PKCS5_PBKDF2_HMAC(
                            password.baseAddress, Int32(clamping: password.count),
                            salt.baseAddress, Int32(clamping: salt.count), iterations,
                            EVP_sha256(), Int32(clamping: key.count), key.baseAddress) == 1
                    }
                }
            }
            return isDone ? key : nil
        }

        /// The function scrypt (RFC 7914).
        ///
        /// `nil` when OpenSSL has no memory for it.
        package static func scrypt(
            password: [UInt8], salt: [UInt8], cost: ScryptCost, byteCount: Int
        ) -> [UInt8]? {
            var key = [UInt8](repeating: 0, count: byteCount)
            // OpenSSL counts a little more than the formula of the RFC.
            let memoryMax = UInt64(ScryptCost.memoryMax) + 1024 * 1024
            // The pointers are used inside the call only, with the counts of their arrays.
            let isDone = unsafe withSecret(password) { password in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe key.withUnsafeMutableBufferPointer { key in
                        unsafe EVP_PBE_scrypt(
                            password.baseAddress, password.count, salt.baseAddress, salt.count,
                            1 << UInt64(cost.logarithm), UInt64(cost.blockSize),
                            UInt64(cost.repetitionCount), memoryMax, key.baseAddress,
                            key.count) == 1
                    }
                }
            }
            return isDone ? key : nil
        }

        /// Lends bytes as the `char` that OpenSSL takes passwords as.
        private static func withSecret<R>(
            _ bytes: [UInt8], _ body: (UnsafeBufferPointer<CChar>) -> R
        ) -> R {
            // A NUL behind them: OpenSSL takes no pointer for a password of no bytes for another.
            let terminated = bytes + [0]
            return unsafe terminated.withUnsafeBufferPointer { buffer in
                unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                    unsafe body(UnsafeBufferPointer(rebasing: buffer.dropLast()))
                }
            }
        }
    }
#endif
