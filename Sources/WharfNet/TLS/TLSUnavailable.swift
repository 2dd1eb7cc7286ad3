#if !canImport(COpenSSL)
    // Without OpenSSL: what is asked for is refused, and the rest of the package works.

    /// A private key and certificates; there are none here.
    final class TLSKeyPair: Sendable {
        init(certificates: [UInt8], key: [UInt8], password: String?) throws(TLSError) {
            throw TLSError(.unavailable)
        }

        init(pkcs12: [UInt8], password: String) throws(TLSError) {
            throw TLSError(.unavailable)
        }

        init(
            selfSignedFor hosts: [String], days: Int, now: Int64, key other: TLSKeyPair? = nil
        ) throws(TLSError) {
            throw TLSError(.unavailable)
        }

        var certificate: TLSCertificate { get throws(TLSError) { throw TLSError(.unavailable) } }
        var chain: [TLSCertificate] { get throws(TLSError) { [] } }
        var certificatesInPEM: [UInt8] { get throws(TLSError) { [] } }
        var keyInPEM: [UInt8] { get throws(TLSError) { [] } }
    }

    extension TLSCertificate {
        /// Reads all certificates of a text in PEM; here it throws ``TLSError/Kind/unavailable``.
        public static func inPEM(_ bytes: [UInt8]) throws(TLSError) -> [TLSCertificate] {
            throw TLSError(.unavailable)
        }

        /// Reads a certificate in DER; here it throws ``TLSError/Kind/unavailable``.
        public init(bytes: [UInt8]) throws(TLSError) {
            throw TLSError(.unavailable)
        }
    }

    /// What the server's ends of connections share; there is none here.
    package final class TLSServer: Sendable {
        package init(_ configuration: TLSServerConfiguration) throws(TLSError) {
            throw TLSError(.unavailable)
        }

        package func replacing(_ identities: [TLSIdentity]) throws(TLSError) -> TLSServer { self }
        package var handshakeTimeout: UInt64 { 0 }
        func makePump(_ socket: Socket) throws(TLSError) -> TLSPump {
            throw TLSError(.unavailable)
        }
    }

    /// What the client's ends of connections share; there is none here.
    package final class TLSClient: Sendable {
        package init(_ configuration: TLSClientConfiguration = .init()) throws(TLSError) {
            throw TLSError(.unavailable)
        }

        func makePump(_ socket: Socket, host: String) throws(TLSError) -> TLSPump {
            throw TLSError(.unavailable)
        }
    }

    /// One end of a secured connection; there is none here.
    final class TLSPump {
        enum HandshakeStep { case done, wantsInput, wantsOutput }

        static let batchMax = 64 * 1024
        let failure: TLSError? = TLSError(.unavailable)
        let prelude: [UInt8]? = nil
        var mayHaveInput: Bool { false }
        var holdsBytes: Bool { false }

        private init() {}

        func shakeHands() throws(TLSError) -> HandshakeStep { throw TLSError(.unavailable) }
        func session() throws(TLSError) -> TLSSession { throw TLSError(.unavailable) }
        func read(into window: UnsafeMutableRawBufferPointer) -> ReceiveStep {
            .failed(.protocolBroken)
        }
        func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int? { throw .protocolBroken }
        func sayGoodbye() -> Bool { true }
    }
#endif
