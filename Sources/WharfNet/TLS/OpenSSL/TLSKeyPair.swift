#if canImport(COpenSSL)
    internal import COpenSSL

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A private key with its certificate and the certificates above that, as OpenSSL has them.
    @safe final class TLSKeyPair: @unchecked Sendable {
        // @unchecked: nothing changes once it is made, and OpenSSL counts references atomically.

        /// The key (`EVP_PKEY`), which it owns.
        let key: OpaquePointer
        /// The certificate and its chain.
        let list: CertificateList

        /// Takes over a key, and checks that it belongs to the list's first certificate.
        init(key: OpaquePointer, list: CertificateList) throws(TLSError) {
            unsafe self.key = key
            self.list = list
            guard list.count > 0 else { throw TLSError(.badIdentity, "there is no certificate") }
            OpenSSLErrors.clear()
            guard unsafe X509_check_private_key(list[0], key) == 1 else {
                throw OpenSSLErrors.take(.badIdentity, "the key is not the certificate's")
            }
        }

        deinit { unsafe EVP_PKEY_free(key) }

        var certificate: TLSCertificate {
            get throws(TLSError) { try unsafe TLSCertificate(list[0]) }
        }

        var chain: [TLSCertificate] {
            get throws(TLSError) {
                var chain: [TLSCertificate] = []
                for index in 1..<max(1, list.count) {
                    chain.append(try unsafe TLSCertificate(list[index]))
                }
                return chain
            }
        }

        /// Reads certificates and a key in PEM.
        convenience init(
            certificates: [UInt8], key: [UInt8], password: String?
        ) throws(TLSError) {
            let list = try CertificateList(pem: certificates)
            guard list.count > 0 else { throw TLSError(.badIdentity, "there is no certificate") }
            try unsafe self.init(key: Self.readKey(key, password: password), list: list)
        }

        private static func readKey(_ bytes: [UInt8], password: String?) throws(TLSError)
            -> OpaquePointer
        {
            // Read in place, and for this call only. OpenSSL would ask the terminal if it had none.
            let secret = unsafe UnsafeMutablePointer<CChar>(strdup(password ?? ""))
            defer { unsafe Self.wipe(secret) }
            return try unsafe withMemoryBIO(bytes) { memory throws(TLSError) in
                OpenSSLErrors.clear()
                if let key = unsafe PEM_read_bio_PrivateKey(memory, nil, nil, secret) {
                    return unsafe key
                }
                guard bytes.containsText("PRIVATE KEY") else {
                    throw OpenSSLErrors.take(.badIdentity, "there is no private key")
                }
                let isEncrypted = bytes.containsText("ENCRYPTED")
                throw OpenSSLErrors.take(
                    isEncrypted ? .badPassword : .badIdentity, "the key can't be read")
            }
        }

        private static func wipe(_ secret: UnsafeMutablePointer<CChar>?) {
            guard let secret = unsafe secret else { return }
            unsafe OPENSSL_cleanse(secret, strlen(secret))
            unsafe free(secret)
        }

        /// Reads a PKCS#12 file.
        convenience init(pkcs12: [UInt8], password: String) throws(TLSError) {
            var key: OpaquePointer?
            var certificate: OpaquePointer?
            var others: OpaquePointer?
            let list = try CertificateList()
            try unsafe withMemoryBIO(pkcs12) { memory throws(TLSError) in
                OpenSSLErrors.clear()
                guard let file = unsafe d2i_PKCS12_bio(memory, nil) else {
                    throw OpenSSLErrors.take(.badIdentity, "it is no PKCS#12 file")
                }
                defer { unsafe PKCS12_free(file) }
                guard unsafe PKCS12_parse(file, password, &key, &certificate, &others) == 1 else {
                    let isSecret =
                        OpenSSLErrors.reason(of: OpenSSLErrors.lastCode)
                        == PKCS12_R_MAC_VERIFY_FAILURE
                    throw OpenSSLErrors.take(isSecret ? .badPassword : .badIdentity)
                }
            }
            defer { unsafe copenssl_certificates_release(others) }
            guard let key = unsafe key, let certificate = unsafe certificate else {
                unsafe EVP_PKEY_free(key)
                unsafe X509_free(certificate)
                throw TLSError(.badIdentity, "the file has no key with its certificate")
            }
            do throws(TLSError) {
                try unsafe list.append(certificate)
                for index in 0..<max(0, unsafe copenssl_certificates_count(others)) {
                    guard let other = unsafe copenssl_certificate(others, index) else { continue }
                    guard unsafe X509_up_ref(other) == 1 else {
                        throw OpenSSLErrors.take(.badIdentity)
                    }
                    try unsafe list.append(other)
                }
            } catch {
                unsafe EVP_PKEY_free(key)
                throw error
            }
            try unsafe self.init(key: key, list: list)
        }

        // MARK: Writing

        var certificatesInPEM: [UInt8] {
            get throws(TLSError) {
                let bytes = unsafe bytesWritten { memory in
                    for index in 0..<list.count {
                        guard unsafe PEM_write_bio_X509(memory, list[index]) == 1 else {
                            return false
                        }
                    }
                    return true
                }
                guard let bytes else { throw OpenSSLErrors.take(.badIdentity) }
                return bytes
            }
        }

        var keyInPEM: [UInt8] {
            get throws(TLSError) {
                let bytes = unsafe bytesWritten {
                    unsafe PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) == 1
                }
                guard let bytes else { throw OpenSSLErrors.take(.badIdentity) }
                return bytes
            }
        }
    }

    extension [UInt8] {
        fileprivate func containsText(_ text: String) -> Bool {
            String(decoding: self, as: UTF8.self).contains(text)
        }
    }
#endif
