#if canImport(COpenSSL)
    internal import COpenSSL

    /// A list of certificates of OpenSSL's, which it owns.
    @safe final class CertificateList: @unchecked Sendable {
        // @unchecked: it does not change once it is made, and OpenSSL counts references atomically.

        let raw: OpaquePointer

        /// Certificates that a text may hold at most.
        private static let countMax = 4096

        /// An empty list.
        init() throws(TLSError) {
            guard let raw = unsafe copenssl_certificates_new() else {
                throw OpenSSLErrors.take(.badIdentity)
            }
            unsafe self.raw = raw
        }

        deinit { unsafe copenssl_certificates_release(raw) }

        var count: Int32 { unsafe max(0, copenssl_certificates_count(raw)) }

        /// A certificate, as long as the list lives.
        subscript(_ index: Int32) -> OpaquePointer? {
            unsafe copenssl_certificate(raw, index)
        }

        /// Adds a certificate that the caller gives away.
        func append(_ certificate: OpaquePointer) throws(TLSError) {
            guard unsafe copenssl_certificates_push(raw, certificate) > 0 else {
                unsafe X509_free(certificate)
                throw OpenSSLErrors.take(.badIdentity)
            }
        }
    }

    extension CertificateList {
        /// Reads all certificates of a text in PEM.
        convenience init(pem: [UInt8]) throws(TLSError) {
            try self.init()
            let list = self
            try unsafe withMemoryBIO(pem) { memory throws(TLSError) in
                while list.count < Self.countMax {
                    OpenSSLErrors.clear()
                    guard let one = unsafe PEM_read_bio_X509_AUX(memory, nil, nil, nil) else {
                        // That nothing more begins is the end, all else is a broken certificate.
                        let reason = OpenSSLErrors.reason(of: OpenSSLErrors.lastCode)
                        guard reason == PEM_R_NO_START_LINE else {
                            throw OpenSSLErrors.take(.badIdentity, "a certificate can't be read")
                        }
                        return OpenSSLErrors.clear()
                    }
                    try unsafe list.append(one)
                }
                throw TLSError(.badIdentity, "too many certificates")
            }
        }

        /// The certificates of values.
        convenience init(_ certificates: [TLSCertificate]) throws(TLSError) {
            try self.init()
            for certificate in certificates {
                try unsafe append(TLSCertificate.parse(certificate.bytes))
            }
        }
    }
#endif
