#if canImport(COpenSSL)
    internal import COpenSSL

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    extension TLSCertificate {
        /// Reads all certificates of a text in PEM; other things between them are passed over.
        ///
        /// Throws ``TLSError/Kind/badIdentity`` when there is none, or one is broken.
        public static func inPEM(_ bytes: [UInt8]) throws(TLSError) -> [TLSCertificate] {
            let list = try CertificateList(pem: bytes)
            guard list.count > 0 else { throw TLSError(.badIdentity, "there is no certificate") }
            var certificates: [TLSCertificate] = []
            for index in 0..<list.count {
                certificates.append(try unsafe TLSCertificate(list[index]))
            }
            return certificates
        }

        /// Reads a certificate in DER.
        ///
        /// Throws ``TLSError/Kind/badIdentity``.
        public init(bytes: [UInt8]) throws(TLSError) {
            let raw = try unsafe Self.parse(bytes)
            defer { unsafe X509_free(raw) }
            try unsafe self.init(raw)
        }

        /// A certificate of OpenSSL's, which the caller frees.
        static func parse(_ bytes: [UInt8]) throws(TLSError) -> OpaquePointer {
            OpenSSLErrors.clear()
            let raw = unsafe bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return unsafe d2i_X509(nil, &start, buffer.count)
            }
            guard let raw = unsafe raw else { throw OpenSSLErrors.take(.badIdentity) }
            return unsafe raw
        }

        /// Copies what there is to know out of a certificate of OpenSSL's.
        init(_ raw: OpaquePointer?) throws(TLSError) {
            OpenSSLErrors.clear()
            guard let raw = unsafe raw,
                let bytes = unsafe Self.encoded({ unsafe i2d_X509(raw, $0) }),
                let key = unsafe Self.encoded({
                    unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(raw), $0)
                }),
                let digest = Self.sha256(bytes), let keyDigest = Self.sha256(key)
            else { throw OpenSSLErrors.take(.badIdentity) }
            self.bytes = bytes
            fingerprint = TLSFingerprint(digest: digest)
            keyFingerprint = TLSFingerprint(digest: keyDigest)
            subject = unsafe Self.text(of: X509_get_subject_name(raw))
            issuer = unsafe Self.text(of: X509_get_issuer_name(raw))
            hosts = unsafe Self.hosts(of: raw)
            serialNumber = unsafe Self.serialNumber(of: raw)
            notBefore = unsafe Self.seconds(X509_get0_notBefore(raw))
            notAfter = unsafe Self.seconds(X509_get0_notAfter(raw))
            OpenSSLErrors.clear()
        }

        private static func encoded(
            _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
        ) -> [UInt8]? {
            let count = encode(nil)
            guard count > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: Int(count))
            let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var start = buffer.baseAddress
                return unsafe encode(&start)
            }
            return written == count ? bytes : nil
        }

        private static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
            var digest = [UInt8](repeating: 0, count: 32)
            let isDone = unsafe digest.withUnsafeMutableBufferPointer { target in
                unsafe bytes.withUnsafeBytes {
                    unsafe EVP_Digest(
                        $0.baseAddress, $0.count, target.baseAddress, nil, EVP_sha256(), nil) == 1
                }
            }
            return isDone ? digest : nil
        }

        private static func text(of name: OpaquePointer?) -> String {
            let bytes = unsafe bytesWritten {
                unsafe X509_NAME_print_ex($0, name, 0, copenssl_name_format) >= 0
            }
            return String(decoding: bytes ?? [], as: UTF8.self)
        }

        private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
            var parts = unsafe tm()
            guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
            return unsafe Int64(timegm(&parts))
        }

        private static func serialNumber(of raw: OpaquePointer) -> String {
            let bytes = unsafe bytesWritten {
                unsafe i2a_ASN1_INTEGER($0, X509_get0_serialNumber(raw)) >= 0
            }
            return String(decoding: bytes ?? [], as: UTF8.self)
        }

        /// RFC 5280 §4.2.1.6: the names of kind DNS and the addresses.
        private static func hosts(of raw: OpaquePointer) -> [String] {
            guard let found = unsafe X509_get_ext_d2i(raw, NID_subject_alt_name, nil, nil) else {
                return []
            }
            let names = OpaquePointer(found)
            defer { unsafe GENERAL_NAMES_free(names) }
            var hosts: [String] = []
            for index in 0..<max(0, unsafe copenssl_names_count(names)) {
                guard let name = unsafe copenssl_name(names, index) else { continue }
                var kind: Int32 = 0
                let value = unsafe GENERAL_NAME_get0_value(name, &kind)
                guard kind == GEN_DNS || kind == GEN_IPADD, let value = unsafe value else {
                    continue
                }
                let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
                let bytes = unsafe UnsafeBufferPointer(
                    start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
                if kind == GEN_DNS {
                    unsafe hosts.append(String(decoding: bytes, as: UTF8.self).lowercased())
                } else if let address = unsafe SocketAddress(bytes: Array(bytes)) {
                    hosts.append(address.host)
                }
            }
            return hosts
        }
    }

    extension SocketAddress {
        /// An address of 4 or 16 bytes in network order; `nil` for another count.
        fileprivate init?(bytes: [UInt8]) {
            func number(_ part: ArraySlice<UInt8>) -> UInt64 {
                part.reduce(0) { $0 << 8 | UInt64($1) }
            }
            switch bytes.count {
            case 4: self = .ipv4(UInt32(truncatingIfNeeded: number(bytes[...])), port: 0)
            case 16:
                self = .ipv6(high: number(bytes[..<8]), low: number(bytes[8...]), scope: 0, port: 0)
            default: return nil
            }
        }
    }
#endif
