#if canImport(COpenSSL)
    internal import COpenSSL

    /// What the client's ends of connections share: whom to trust, sessions to be resumed.
    ///
    /// Make one and keep it: reading the system's authorities takes tens of milliseconds.
    @safe package final class TLSClient: @unchecked Sendable {
        // @unchecked: it does not change once it is made, but for what is locked.

        let configuration: TLSClientConfiguration
        private let context: SSLContext
        let sessions = SessionStore()

        /// Makes it ready to secure connections.
        ///
        /// Throws ``TLSError/Kind/badIdentity`` or ``TLSError/Kind/badSetting``.
        package init(_ configuration: TLSClientConfiguration = .init()) throws(TLSError) {
            self.configuration = configuration
            context = try SSLContext(isServer: false, versionMin: configuration.versionMin)
            guard let protocols = SSLContext.protocolList(configuration.applicationProtocols) else {
                throw TLSError(.badSetting, "an application protocol has no name")
            }
            OpenSSLErrors.clear()
            let raw = unsafe context.raw
            // RFC 7301 §3.1: an empty list must not be sent. 0 is success here.
            if !protocols.isEmpty,
                unsafe SSL_CTX_set_alpn_protos(raw, protocols, UInt32(protocols.count)) != 0
            {
                throw OpenSSLErrors.take(.badSetting)
            }
            switch configuration.trust.way {
            case .system:
                guard unsafe SSL_CTX_set_default_verify_paths(raw) == 1 else {
                    throw OpenSSLErrors.take(.badSetting)
                }
            case .certificates(let certificates): try context.trust(certificates)
            case .anything, .decided: break
            }
            if let identity = configuration.identity { try context.use(identity.keyPair) }
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
            unsafe SSL_CTX_set_cert_verify_callback(raw, verify, me)
            let ways = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
            unsafe copenssl_set_session_cache(
                raw, Int(configuration.resumesSessions ? ways : SSL_SESS_CACHE_OFF), 1)
            if configuration.resumesSessions { unsafe SSL_CTX_sess_set_new_cb(raw, keepSession) }
        }

        /// The client's end of a new connection.
        func makePump(_ socket: Socket, host: String) throws(TLSError) -> TLSPump {
            let pump = try TLSPump(context, socket, isServer: false, owner: self, host: host)
            try name(host, pump)
            if configuration.resumesSessions, let session = sessions.take(for: host) {
                // It takes a reference of its own; a session that is refused is only lost time.
                _ = unsafe SSL_set_session(pump.raw, session.raw)
            }
            return pump
        }

        /// RFC 6066 §3: addresses are not sent as names.
        private func name(_ host: String, _ pump: TLSPump) throws(TLSError) {
            OpenSSLErrors.clear()
            let parameters = unsafe SSL_get0_param(pump.raw)
            if let address = SocketAddress(numeric: host, port: 0) {
                guard configuration.checksHost else { return }
                let text = String(address.host.prefix { $0 != "%" })
                guard unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, text) == 1 else {
                    throw OpenSSLErrors.take(.badSetting)
                }
                return
            }
            let name = host.hasSuffix(".") ? String(host.dropLast()) : host
            guard !name.isEmpty, name.utf8.count <= 253,
                name.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
            else { throw TLSError(.badSetting, "the host's name can't be sent") }
            guard unsafe copenssl_set_host_name(pump.raw, name) == 1 else {
                throw OpenSSLErrors.take(.badSetting)
            }
            guard configuration.checksHost else { return }
            // RFC 9525 §6.3: an asterisk is a whole label or nothing.
            unsafe X509_VERIFY_PARAM_set_hostflags(
                parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard unsafe X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1 else {
                throw OpenSSLErrors.take(.badSetting)
            }
        }

        // MARK: What OpenSSL asks in the middle of a handshake

        private static let chainMax: Int32 = 10

        /// Whether the certificates that a server has sent will do.
        fileprivate func isTrusted(_ store: OpaquePointer, _ pump: TLSPump) -> Bool {
            switch configuration.trust.way {
            case .system, .certificates:
                guard unsafe X509_verify_cert(store) == 1 else { return false }
            case .anything:
                break
            case .decided(let decide):
                guard let chain = unsafe Self.certificates(X509_STORE_CTX_get0_untrusted(store)),
                    decide(chain, pump.host)
                else {
                    return unsafe refuse(
                        store, pump, TLSError(.notTrusted, "the program does not trust it"))
                }
            }
            unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
            guard !configuration.pins.isEmpty else { return true }
            let verified = unsafe Self.certificates(X509_STORE_CTX_get0_chain(store)) ?? []
            // Unverified certificates above the server's own may be anybody's.
            let own = unsafe try? TLSCertificate(X509_STORE_CTX_get0_cert(store))
            let keys = (own.map { [$0] } ?? []) + verified
            guard keys.contains(where: { configuration.pins.contains($0.keyFingerprint) }) else {
                return unsafe refuse(
                    store, pump, TLSError(.notPinned, own?.keyFingerprint.description ?? ""))
            }
            return true
        }

        private func refuse(_ store: OpaquePointer, _ pump: TLSPump, _ error: TLSError) -> Bool {
            pump.refusal = error
            unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
            return false
        }

        private static func certificates(_ list: OpaquePointer?) -> [TLSCertificate]? {
            guard let list = unsafe list else { return nil }
            var certificates: [TLSCertificate] = []
            for index in 0..<max(0, min(chainMax, unsafe copenssl_certificates_count(list))) {
                guard
                    let one = unsafe try? TLSCertificate(copenssl_certificate(list, index))
                else { return nil }
                certificates.append(one)
            }
            return certificates
        }
    }

    private func verify(_ store: OpaquePointer?, _ client: UnsafeMutableRawPointer?) -> Int32 {
        guard let store = unsafe store, let client = unsafe client,
            let connection = unsafe X509_STORE_CTX_get_ex_data(
                store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let pump = unsafe TLSPump.of(OpaquePointer(connection))
        else { return 0 }
        // Each pump holds the client, and is on the stack below.
        let me = unsafe Unmanaged<TLSClient>.fromOpaque(client).takeUnretainedValue()
        return unsafe me.isTrusted(store, pump) ? 1 : 0
    }

    /// A session to be resumed has come: 1 when its reference is kept.
    private func keepSession(_ connection: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
        guard let session = unsafe session, let pump = unsafe TLSPump.of(connection),
            let client = pump.owner as? TLSClient
        else { return 0 }
        unsafe client.sessions.keep(ClientSession(session), for: pump.host)
        return 1
    }
#endif
