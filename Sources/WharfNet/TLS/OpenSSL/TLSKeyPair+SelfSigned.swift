#if canImport(COpenSSL)
    internal import COpenSSL

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    extension TLSKeyPair {
        /// Makes a certificate that its key signs itself: a new key, or that of another pair.
        convenience init(
            selfSignedFor hosts: [String], days: Int, now: Int64, key other: TLSKeyPair? = nil
        ) throws(TLSError) {
            guard let first = hosts.first, days > 0, days <= 36_500 else {
                throw TLSError(.badSetting, "a host and a number of days are needed")
            }
            OpenSSLErrors.clear()
            if let other, unsafe EVP_PKEY_up_ref(other.key) != 1 {
                throw OpenSSLErrors.take(.badIdentity)
            }
            guard let key = unsafe other?.key ?? copenssl_make_p256_key() else {
                throw OpenSSLErrors.take(.badIdentity)
            }
            do throws(TLSError) {
                let list = try CertificateList()
                let names = try Self.alternativeNames(of: hosts)
                let span = (now - 86_400)..<(now + Int64(days) * 86_400)
                try unsafe list.append(
                    Self.certificate(for: key, commonName: first, names: names, valid: span))
                guard unsafe EVP_PKEY_up_ref(key) == 1 else {
                    throw OpenSSLErrors.take(.badIdentity)
                }
                try unsafe self.init(key: key, list: list)
            } catch {
                unsafe EVP_PKEY_free(key)
                throw error
            }
            unsafe EVP_PKEY_free(key)
        }

        /// The names as OpenSSL's configuration has them: `DNS:wharf.local,IP:::1`.
        private static func alternativeNames(of hosts: [String]) throws(TLSError) -> String {
            var names: [String] = []
            for host in hosts.prefix(100) {
                if let address = SocketAddress(numeric: host, port: 0) {
                    // A scope is this machine's own affair.
                    names.append("IP:" + address.host.prefix { $0 != "%" })
                } else if host.utf8.count <= 253, !host.isEmpty,
                    host.utf8.allSatisfy(\.isOfHostName)
                {
                    names.append("DNS:" + host)
                } else {
                    throw TLSError(.badSetting, "\(host) is no host name")
                }
            }
            return names.joined(separator: ",")
        }

        private static func certificate(
            for key: OpaquePointer, commonName: String, names: String, valid: Range<Int64>
        ) throws(TLSError) -> OpaquePointer {
            guard let certificate = unsafe X509_new() else {
                throw OpenSSLErrors.take(.badIdentity)
            }
            let name = Array(commonName.utf8.prefix(64))
            let isDone =
                unsafe X509_set_version(certificate, Int(X509_VERSION_3)) == 1
                && setSerialNumber(of: certificate)
                && setTime(X509_getm_notBefore(certificate), valid.lowerBound) != nil
                && setTime(X509_getm_notAfter(certificate), valid.upperBound) != nil
                && X509_set_pubkey(certificate, key) == 1
                && X509_NAME_add_entry_by_txt(
                    X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, name,
                    Int32(name.count), -1, 0) == 1
                && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1
                && add(NID_subject_alt_name, names, to: certificate)
                && add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
                && add(NID_key_usage, "critical,digitalSignature", to: certificate)
                && add(NID_ext_key_usage, "serverAuth,clientAuth", to: certificate)
                && add(NID_subject_key_identifier, "hash", to: certificate)
                && X509_sign(certificate, key, EVP_sha256()) > 0
            guard isDone else {
                unsafe X509_free(certificate)
                throw OpenSSLErrors.take(.badIdentity)
            }
            return unsafe certificate
        }

        private static func setTime(_ time: UnsafeMutablePointer<ASN1_TIME>?, _ seconds: Int64)
            -> UnsafeMutablePointer<ASN1_TIME>?
        {
            unsafe ASN1_TIME_set(time, time_t(seconds))
        }

        /// RFC 5280 §4.1.2.2: a positive number of at most 20 bytes; here one that nobody guesses.
        private static func setSerialNumber(of certificate: OpaquePointer) -> Bool {
            var bytes = [UInt8](repeating: 0, count: 16)
            guard unsafe RAND_bytes(&bytes, 16) == 1 else { return false }
            bytes[0] = bytes[0] & 0x7F | 0x40
            guard let number = unsafe BN_bin2bn(bytes, 16, nil) else { return false }
            defer { unsafe BN_free(number) }
            return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
        }

        private static func add(_ id: Int32, _ value: String, to certificate: OpaquePointer) -> Bool
        {
            var context = unsafe X509V3_CTX()
            unsafe copenssl_set_config_without_file(&context, certificate, certificate)
            guard let found = unsafe X509V3_EXT_conf_nid(nil, &context, id, value) else {
                return false
            }
            defer { unsafe X509_EXTENSION_free(found) }
            return unsafe X509_add_ext(certificate, found, -1) == 1
        }
    }

    extension UInt8 {
        fileprivate var isOfHostName: Bool {
            switch self {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "*"):
                true
            default: false
            }
        }
    }
#endif
