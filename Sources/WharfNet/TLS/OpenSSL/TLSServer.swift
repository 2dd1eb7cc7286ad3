#if canImport(COpenSSL)
    internal import COpenSSL

    /// What the server's ends of connections share: identities, settings, sessions to be resumed.
    @safe package final class TLSServer: @unchecked Sendable {
        // @unchecked: it does not change once it is made, but for what OpenSSL locks.

        private let configuration: TLSServerConfiguration
        /// One for each set of hosts; the first is for clients that name none of them.
        private let sites: [Site]
        private let protocols: [UInt8]
        private let ticketKeys: [UInt8]

        private struct Site {
            let context: SSLContext
            var hosts: Set<String>
        }

        /// Sessions of TLS 1.2 that are kept; those of TLS 1.3 are with the clients, as tickets.
        private static let sessionMax = 4096

        /// Makes it ready to secure connections.
        ///
        /// Throws ``TLSError/Kind/badIdentity`` or ``TLSError/Kind/badSetting``.
        package convenience init(_ configuration: TLSServerConfiguration) throws(TLSError) {
            try self.init(configuration, ticketKeys: nil)
        }

        /// The same settings with other identities; what clients can resume stays.
        package func replacing(_ identities: [TLSIdentity]) throws(TLSError) -> TLSServer {
            var configuration = configuration
            configuration.identities = identities
            return try TLSServer(configuration, ticketKeys: ticketKeys)
        }

        private init(_ configuration: TLSServerConfiguration, ticketKeys: [UInt8]?) throws(TLSError)
        {
            self.configuration = configuration
            guard let protocols = SSLContext.protocolList(configuration.applicationProtocols) else {
                throw TLSError(.badSetting, "an application protocol has no name")
            }
            self.protocols = protocols
            var sites: [Site] = []
            for identity in configuration.identities {
                let hosts = Set(identity.certificate.hosts)
                if let same = sites.firstIndex(where: { $0.hosts == hosts }) {
                    try sites[same].context.use(identity.keyPair)
                } else {
                    let context = try SSLContext(
                        isServer: true, versionMin: configuration.versionMin)
                    try context.use(identity.keyPair)
                    sites.append(Site(context: context, hosts: hosts))
                }
            }
            guard let first = sites.first else {
                throw TLSError(.badSetting, "a server needs an identity")
            }
            self.sites = sites
            if let ticketKeys {
                self.ticketKeys = ticketKeys
            } else {
                self.ticketKeys = try Self.makeTicketKeys(for: first.context)
            }
            for site in sites { try setUp(site.context) }
        }

        /// A site with the hosts of another is served by the context of that one.
        private func setUp(_ context: SSLContext) throws(TLSError) {
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            let raw = unsafe context.raw
            if !protocols.isEmpty {
                unsafe SSL_CTX_set_alpn_select_cb(raw, selectProtocol, me)
            }
            if sites.count > 1 { unsafe copenssl_set_server_name_callback(raw, selectSite, me) }
            try demandCertificates(context)
            try resumeSessions(context)
        }

        private func demandCertificates(_ context: SSLContext) throws(TLSError) {
            let demand = configuration.clientCertificates
            guard demand.demand != .none else { return }
            try context.trust(demand.roots)
            let list = try CertificateList(demand.roots)
            for index in 0..<list.count {
                guard unsafe SSL_CTX_add_client_CA(context.raw, list[index]) == 1 else {
                    throw OpenSSLErrors.take(.badSetting)
                }
            }
            let must = demand.demand == .required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
            unsafe SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER | must, nil)
        }

        private func resumeSessions(_ context: SSLContext) throws(TLSError) {
            guard configuration.resumesSessions else {
                unsafe copenssl_set_session_cache(context.raw, Int(SSL_SESS_CACHE_OFF), 1)
                unsafe SSL_CTX_set_options(context.raw, copenssl_no_ticket)
                unsafe SSL_CTX_set_num_tickets(context.raw, 0)
                return
            }
            unsafe copenssl_set_session_cache(
                context.raw, Int(SSL_SESS_CACHE_SERVER), Self.sessionMax)
            // A session of one that has shown a certificate is for servers with this name only.
            let name = Array("wharf".utf8)
            let isNamed = unsafe SSL_CTX_set_session_id_context(
                context.raw, name, UInt32(name.count))
            var keys = ticketKeys
            let count = keys.count
            let areSet = unsafe keys.withUnsafeMutableBytes {
                unsafe copenssl_set_ticket_keys(context.raw, $0.baseAddress, count)
            }
            guard isNamed == 1, areSet == 1 else { throw OpenSSLErrors.take(.badSetting) }
        }

        private static func makeTicketKeys(for context: SSLContext) throws(TLSError) -> [UInt8] {
            let count = unsafe copenssl_ticket_keys_count(context.raw)
            var keys = [UInt8](repeating: 0, count: max(0, count))
            let isDone = unsafe keys.withUnsafeMutableBytes {
                unsafe RAND_bytes($0.baseAddress, Int32($0.count)) == 1
            }
            guard isDone else { throw OpenSSLErrors.take(.badSetting) }
            return keys
        }

        /// How long a handshake may take, in nanoseconds.
        package var handshakeTimeout: UInt64 {
            let (seconds, attoseconds) = configuration.handshakeTimeout.components
            // A day is as good as for ever, and does not overflow.
            return UInt64(min(max(seconds, 0), 86_400)) * 1_000_000_000
                + UInt64(max(attoseconds, 0)) / 1_000_000_000
        }

        /// The server's end of a new connection.
        func makePump(_ socket: Socket) throws(TLSError) -> TLSPump {
            try TLSPump(sites[0].context, socket, isServer: true, owner: self)
        }

        // MARK: What OpenSSL asks in the middle of a handshake

        /// Picks the context for the host that a client names.
        fileprivate func context(for host: String) -> SSLContext {
            let host = host.lowercased()
            if let exact = sites.first(where: { $0.hosts.contains(host) }) { return exact.context }
            // RFC 9525 §6.3: an asterisk stands for the leftmost label.
            if let dot = host.firstIndex(of: ".") {
                let wild = "*" + host[dot...]
                if let site = sites.first(where: { $0.hosts.contains(wild) }) {
                    return site.context
                }
            }
            return sites[0].context
        }

        /// Picks a protocol of the offer, and says where in the offer its name is.
        fileprivate func pick(from offer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
            var wanted = protocols[...]
            while let count = wanted.popFirst() {
                let name = wanted.prefix(Int(count))
                wanted = wanted.dropFirst(Int(count))
                var start = 0
                while start < offer.count {
                    let end = unsafe start + 1 + Int(offer[start])
                    guard end <= offer.count else { break }
                    if unsafe offer[(start + 1)..<end].elementsEqual(name) {
                        return (start + 1)..<end
                    }
                    start = end
                }
            }
            return nil
        }
    }

    // The contexts, and so these calls, live no longer than the server that is handed over: each
    // connection holds it.

    private func selectSite(
        _ connection: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?,
        _ server: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let server = unsafe server,
            let name = unsafe SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name)
        else { return SSL_TLSEXT_ERR_OK }
        let me = unsafe Unmanaged<TLSServer>.fromOpaque(server).takeUnretainedValue()
        let context = unsafe me.context(for: String(cString: name))
        _ = unsafe SSL_set_SSL_CTX(connection, context.raw)
        return SSL_TLSEXT_ERR_OK
    }

    private func selectProtocol(
        _ connection: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ chosenCount: UnsafeMutablePointer<UInt8>?, _ offer: UnsafePointer<UInt8>?,
        _ count: UInt32,
        _ server: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let server = unsafe server, let offer = unsafe offer, let chosen = unsafe chosen,
            let chosenCount = unsafe chosenCount
        else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let me = unsafe Unmanaged<TLSServer>.fromOpaque(server).takeUnretainedValue()
        let all = unsafe UnsafeBufferPointer(start: offer, count: Int(count))
        guard let range = unsafe me.pick(from: all) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        // A place in the offer, which outlives the handshake.
        unsafe chosen.pointee = unsafe offer + range.lowerBound
        unsafe chosenCount.pointee = UInt8(range.count)
        return SSL_TLSEXT_ERR_OK
    }
#endif
