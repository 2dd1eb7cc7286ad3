#if !canImport(COpenSSL) && canImport(CommonCrypto)
    internal import CommonCrypto

    extension KeyDerivation {
        /// PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2).
        ///
        /// `nil` when there are no iterations, or the system refuses.
        package static func pbkdf2SHA256(
            password: [UInt8], salt: [UInt8], iterationCount: Int, byteCount: Int
        ) -> [UInt8]? {
            guard let iterations = UInt32(exactly: iterationCount), iterations > 0 else {
                return nil
            }
            var key = [UInt8](repeating: 0, count: byteCount)
            let secret = password.map { CChar(bitPattern: $0) }
            // The pointers are used inside the call only, with the counts of their arrays.
            let status = unsafe secret.withUnsafeBufferPointer { password in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe key.withUnsafeMutableBufferPointer { key in
                        unsafe CCKeyDerivationPBKDF(
                            CCPBKDFAlgorithm(kCCPBKDF2), password.baseAddress, password.count,
                            salt.baseAddress, salt.count,
                            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), iterations,
                            key.baseAddress, key.count)
                    }
                }
            }
            return status == kCCSuccess ? key : nil
        }

        /// The function scrypt, which Apple's systems lack: always `nil`.
        package static func scrypt(
            password: [UInt8], salt: [UInt8], cost: ScryptCost, byteCount: Int
        ) -> [UInt8]? {
            nil
        }
    }
#endif
