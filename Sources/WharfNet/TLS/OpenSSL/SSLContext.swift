#if canImport(COpenSSL)
    internal import COpenSSL

    /// OpenSSL's `SSL_CTX`, with what both ends have in common.
    @safe final class SSLContext: @unchecked Sendable {
        // @unchecked: it is set up before it is shared, and OpenSSL locks what changes later.

        let raw: OpaquePointer

        /// RFC 9325 §4.2: key exchange with forward secrecy and authenticated encryption only.
        private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

        init(isServer: Bool, versionMin: TLSVersion) throws(TLSError) {
            OpenSSLErrors.clear()
            guard
                let raw = unsafe SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method())
            else { throw OpenSSLErrors.take(.badSetting) }
            unsafe self.raw = raw
            unsafe copenssl_set_minimum_version(raw, versionMin.number)
            unsafe copenssl_set_options(raw)
            // An idle connection gives its buffers back; what is retried may have moved meanwhile.
            unsafe copenssl_set_mode(
                raw,
                Int(
                    SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                        | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
            unsafe copenssl_set_read_ahead(raw)
            guard unsafe SSL_CTX_set_cipher_list(raw, Self.ciphers) == 1 else {
                throw OpenSSLErrors.take(.badSetting)
            }
        }

        deinit { unsafe SSL_CTX_free(raw) }

        /// Gives it a certificate, its chain and its key, beside those with keys of other kinds.
        func use(_ keyPair: TLSKeyPair) throws(TLSError) {
            OpenSSLErrors.clear()
            guard let chain = unsafe copenssl_certificates_new() else {
                throw OpenSSLErrors.take(.badIdentity)
            }
            defer { unsafe copenssl_certificates_free(chain) }
            for index in 1..<max(1, keyPair.list.count) {
                guard let one = unsafe keyPair.list[index],
                    unsafe copenssl_certificates_push(chain, one) > 0
                else { throw OpenSSLErrors.take(.badIdentity) }
            }
            // It takes references of its own.
            guard unsafe SSL_CTX_use_cert_and_key(raw, keyPair.list[0], keyPair.key, chain, 1) == 1
            else { throw OpenSSLErrors.take(.badIdentity) }
        }

        /// Trusts certificates.
        func trust(_ certificates: [TLSCertificate]) throws(TLSError) {
            OpenSSLErrors.clear()
            let list = try CertificateList(certificates)
            let store = unsafe SSL_CTX_get_cert_store(raw)
            for index in 0..<list.count {
                guard unsafe X509_STORE_add_cert(store, list[index]) == 1 else {
                    throw OpenSSLErrors.take(.badIdentity)
                }
            }
            // One that is trusted by itself needs nobody above it.
            unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        }

        /// RFC 7301 §3.1: each name with its length before it; `nil` when one is too long or empty.
        static func protocolList(_ names: [String]) -> [UInt8]? {
            var list: [UInt8] = []
            for name in names {
                guard !name.isEmpty, name.utf8.count <= 255 else { return nil }
                list.append(UInt8(name.utf8.count))
                list += Array(name.utf8)
            }
            return list.count <= 65_535 ? list : nil
        }
    }
#endif
