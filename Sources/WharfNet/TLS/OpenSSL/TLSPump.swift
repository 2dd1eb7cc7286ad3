#if canImport(COpenSSL)
    internal import COpenSSL

    /// One end of a secured connection: between the bytes of its users and those of the socket.
    ///
    /// It never waits. What OpenSSL reads comes from the socket's non-blocking calls; what it writes
    /// is gathered, and leaves in as few calls as can be. So there are no writes to be repeated.
    /// It is confined to the socket's loop.
    @safe final class TLSPump {
        let raw: OpaquePointer
        /// The ``TLSServer`` or ``TLSClient`` that it is of, which OpenSSL calls back.
        let owner: AnyObject
        /// The host that a client asks for.
        let host: String
        private unowned let socket: Socket
        private let isServer: Bool

        /// Bytes that OpenSSL has written and the kernel not taken.
        private var output: [UInt8] = []
        private var outputStart = 0
        /// Bytes of the user's that are encrypted in the output and were not told to be sent.
        private var heldCount = 0
        private var records = RecordSize()

        /// What ended the connection, and is told again to whoever uses it.
        private(set) var failure: TLSError?
        /// Why the other side's certificate was refused.
        var refusal: TLSError?
        /// What the system said last.
        private var systemError: Errno?
        /// What came first, until it is known to be TLS; for a server only.
        private(set) var prelude: [UInt8]? = []
        private var hasShaken = false
        private var hasSaidGoodbye = false
        /// The kernel has told the end, with or without a goodbye before it.
        private var inputHasEnded = false
        /// The other side has said goodbye.
        private var hasEnded = false

        /// More than OpenSSL writes in answer to what it reads, unless somebody floods it.
        private static let outputMax = 512 * 1024
        /// Bytes that are encrypted before the kernel is asked to take them.
        static let batchMax = 64 * 1024

        init(
            _ context: SSLContext, _ socket: Socket, isServer: Bool, owner: AnyObject,
            host: String = ""
        ) throws(TLSError) {
            OpenSSLErrors.clear()
            guard let raw = unsafe SSL_new(context.raw) else {
                throw OpenSSLErrors.take(.handshakeFailed)
            }
            unsafe self.raw = raw
            self.socket = socket
            self.isServer = isServer
            self.owner = owner
            self.host = host
            guard let bio = unsafe SocketBIO.make(self) else {
                throw OpenSSLErrors.take(.handshakeFailed)
            }
            // One reference for both directions.
            unsafe SSL_set_bio(raw, bio, bio)
            guard unsafe SSL_set_ex_data(raw, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
            else { throw OpenSSLErrors.take(.handshakeFailed) }
            if isServer {
                unsafe SSL_set_accept_state(raw)
            } else {
                unsafe SSL_set_connect_state(raw)
            }
        }

        deinit { unsafe SSL_free(raw) }

        /// The pump of a connection of OpenSSL's.
        static func of(_ connection: OpaquePointer?) -> TLSPump? {
            guard let data = unsafe SSL_get_ex_data(connection, 0) else { return nil }
            return unsafe Unmanaged<TLSPump>.fromOpaque(data).takeUnretainedValue()
        }

        // MARK: Handshake

        /// What the handshake needs to go on.
        enum HandshakeStep {
            case done
            case wantsInput
            /// The kernel has to take what is written first.
            case wantsOutput
        }

        /// Goes on with the handshake as far as can be without waiting.
        func shakeHands() throws(TLSError) -> HandshakeStep {
            if let failure { throw failure }
            guard try flushOutput() else { return .wantsOutput }
            if hasShaken { return .done }
            OpenSSLErrors.clear()
            let answer = unsafe SSL_do_handshake(raw)
            let error = unsafe SSL_get_error(raw, answer)
            if answer == 1 {
                hasShaken = true
                prelude = nil
                return try flushOutput() ? .done : .wantsOutput
            }
            guard error == SSL_ERROR_WANT_READ else {
                let reason = fail(handshakeError())
                // The other side is told why, unless it would not understand.
                if reason.kind != .plainHTTP { _ = try? flushOutput() }
                throw reason
            }
            return try flushOutput() ? .wantsInput : .wantsOutput
        }

        private func handshakeError() -> TLSError {
            if let systemError { return TLSError(.disconnected, "\(systemError)") }
            if let refusal { return refusal }
            if isServer, let first = prelude?.first, first.isLetter { return TLSError(.plainHTTP) }
            if inputHasEnded {
                OpenSSLErrors.clear()
                return TLSError(.disconnected, "the other side has closed it")
            }
            let verified = unsafe SSL_get_verify_result(raw)
            if verified != X509_V_OK {
                OpenSSLErrors.clear()
                let isOfHost =
                    verified == X509_V_ERR_HOSTNAME_MISMATCH
                    || verified == X509_V_ERR_IP_ADDRESS_MISMATCH
                // The texts live as long as the process.
                let text = unsafe String(cString: X509_verify_cert_error_string(verified))
                return TLSError(isOfHost ? .wrongHost : .notTrusted, text)
            }
            return OpenSSLErrors.take(.handshakeFailed)
        }

        /// What was agreed on.
        func session() throws(TLSError) -> TLSSession {
            var protocolStart: UnsafePointer<UInt8>?
            var protocolCount: UInt32 = 0
            unsafe SSL_get0_alpn_selected(raw, &protocolStart, &protocolCount)
            let picked = unsafe UnsafeBufferPointer(start: protocolStart, count: Int(protocolCount))
            let name = unsafe SSL_get_servername(raw, TLSEXT_NAMETYPE_host_name)
            let peer = unsafe SSL_get0_peer_certificate(raw)
            let cipher = unsafe copenssl_cipher_name(raw)
            return TLSSession(
                version: TLSVersion(number: unsafe SSL_version(raw)),
                cipher: unsafe cipher.map { unsafe String(cString: $0) } ?? "",
                applicationProtocol: picked.isEmpty
                    ? nil : unsafe String(decoding: picked, as: UTF8.self),
                serverName: unsafe name.map { unsafe String(cString: $0) },
                isResumed: unsafe SSL_session_reused(raw) == 1,
                peerCertificate: try unsafe peer.map { (peer) throws(TLSError) in
                    try unsafe TLSCertificate(peer)
                })
        }

        // MARK: Moving bytes

        /// Decrypts what has come into memory, until it is full or nothing is left.
        func read(into window: UnsafeMutableRawBufferPointer) -> ReceiveStep {
            if let failure { return .failed(errno(of: failure)) }
            var count = 0
            while count < window.count {
                OpenSSLErrors.clear()
                var read = 0
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: window[count...])
                let answer = unsafe SSL_read_ex(raw, rest.baseAddress, rest.count, &read)
                if answer == 1 {
                    count += read
                    // No call is made to hear that nothing is left.
                    guard mayHaveInput else { return .bytes(count) }
                    continue
                }
                let error = unsafe SSL_get_error(raw, 0)
                let step = settleRead(error)
                // What came before the end is handed out first; the end is met again.
                return count > 0 ? .bytes(count) : step
            }
            return .bytes(count)
        }

        /// False when the next read would bring nothing, not even the end.
        var mayHaveInput: Bool {
            unsafe failure != nil || hasEnded || socket.mayReceive || SSL_has_pending(raw) != 0
        }

        private func settleRead(_ code: Int32) -> ReceiveStep {
            switch code {
            case SSL_ERROR_WANT_READ:
                // Answers to messages of the protocol; what does not fit leaves with the next.
                guard (try? flushOutput()) != nil else {
                    return .failed(systemError ?? .connectionReset)
                }
                return .wouldBlock
            case SSL_ERROR_ZERO_RETURN:
                hasEnded = true
                return .ended
            default:
                _ = try? flushOutput()
                return .failed(errno(of: fail(recordError())))
            }
        }

        private func recordError() -> TLSError {
            if let systemError { return TLSError(.disconnected, "\(systemError)") }
            if inputHasEnded {
                OpenSSLErrors.clear()
                return TLSError(.truncated)
            }
            return OpenSSLErrors.take(.brokenRecord)
        }

        /// Encrypts and sends what fits now: how many bytes of it, or `nil` when none does.
        ///
        /// After `nil` the next call has to begin with the same bytes: some of them may be encrypted
        /// already, and are told to be sent when the kernel has taken them.
        func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int? {
            if let failure { throw errno(of: failure) }
            do throws(TLSError) {
                if let told = try settle(countMax: bytes.count) { return told > 0 ? told : nil }
                try unsafe encrypt(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.batchMax)))
                return try settle(countMax: bytes.count).flatMap { $0 > 0 ? $0 : nil }
            } catch {
                throw systemError ?? errno(of: error)
            }
        }

        /// Whether bytes are encrypted that were not told to be sent.
        var holdsBytes: Bool { heldCount > 0 }

        /// Flushes, and tells what was held back: 0 while the kernel takes nothing, `nil` when
        /// nothing was held.
        private func settle(countMax: Int) throws(TLSError) -> Int? {
            guard try flushOutput() else { return 0 }
            guard heldCount > 0 else { return nil }
            let told = min(heldCount, countMax)
            heldCount -= told
            return told
        }

        private func encrypt(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
            var count = 0
            while count < bytes.count {
                OpenSSLErrors.clear()
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
                var step = 0
                let size = min(rest.count, records.next(at: socket.loop.now))
                guard unsafe SSL_write_ex(raw, rest.baseAddress, size, &step) == 1 else {
                    throw fail(OpenSSLErrors.take(.brokenRecord))
                }
                count += step
                heldCount += step
                records.note(step)
            }
        }

        /// Tells the other side that nothing follows; false while the kernel takes nothing.
        func sayGoodbye() -> Bool {
            guard failure == nil, hasShaken else { return true }
            if !hasSaidGoodbye {
                hasSaidGoodbye = true
                OpenSSLErrors.clear()
                // It does not wait for the other side's.
                _ = unsafe SSL_shutdown(raw)
                OpenSSLErrors.clear()
            }
            // An error is the end too.
            return (try? flushOutput()) ?? true
        }

        // MARK: The socket

        /// Receives for OpenSSL.
        func receive(into window: UnsafeMutableRawBufferPointer) -> ReceiveStep {
            let step = unsafe socket.receiveRaw(into: window)
            switch step {
            case .bytes(let count):
                if prelude != nil { return unsafe judge(window[..<count]) }
            case .failed(let error): systemError = error
            case .ended: inputHasEnded = true
            case .wouldBlock: break
            }
            return step
        }

        /// Keeps the first bytes, as long as they might be a request without TLS.
        private func judge(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> ReceiveStep {
            let isFirst = prelude?.isEmpty ?? false
            if isServer, isFirst, unsafe bytes.first?.isLetter ?? false {
                prelude = unsafe Array(bytes)
            } else {
                prelude = nil
            }
            return .bytes(unsafe bytes.count)
        }

        /// Takes what OpenSSL writes; false when that is more than anybody needs.
        func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard output.count - outputStart + bytes.count <= Self.outputMax else { return false }
            if output.capacity == 0 { socket.loop.takeBuffer(&output) }
            unsafe output.append(contentsOf: bytes)
            return true
        }

        /// Sends what OpenSSL has written; false when some is left.
        private func flushOutput() throws(TLSError) -> Bool {
            while outputStart < output.count {
                do throws(Errno) {
                    guard let count = try socket.sendRaw(output, from: outputStart) else {
                        return false
                    }
                    outputStart += count
                } catch {
                    systemError = error
                    throw fail(TLSError(.disconnected, "\(error)"))
                }
            }
            output.removeAll(keepingCapacity: true)
            outputStart = 0
            if output.capacity > 0 { socket.loop.giveBack(&output) }
            return true
        }

        // MARK: Failing

        private func fail(_ error: TLSError) -> TLSError {
            failure = failure ?? error
            return error
        }

        private func errno(of error: TLSError) -> Errno {
            switch error.kind {
            case .disconnected: systemError ?? .connectionReset
            case .truncated: .connectionReset
            default: .protocolBroken
            }
        }
    }

    extension UInt8 {
        /// TLS begins with 22, HTTP with a method.
        fileprivate var isLetter: Bool {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
        }
    }
#endif
