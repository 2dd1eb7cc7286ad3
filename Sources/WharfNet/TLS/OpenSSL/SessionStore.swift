#if canImport(COpenSSL)
    internal import COpenSSL

    /// A session of OpenSSL's, which it owns.
    @safe final class ClientSession: @unchecked Sendable {
        // @unchecked: it does not change, and OpenSSL counts references atomically.
        let raw: OpaquePointer

        init(_ raw: OpaquePointer) { unsafe self.raw = raw }

        deinit { unsafe SSL_SESSION_free(raw) }

        /// RFC 8446 §C.4: a ticket of TLS 1.3 is used once, so that nobody can follow it.
        var isForOnce: Bool {
            unsafe SSL_SESSION_get_protocol_version(raw) >= TLSVersion.tls13.number
        }

        var isUsable: Bool { unsafe SSL_SESSION_is_resumable(raw) == 1 }
    }

    /// The sessions that a client may resume, the latest of each host.
    final class SessionStore: Sendable {
        private struct State {
            var sessions: [String: ClientSession] = [:]
            var order: [String] = []
        }

        private static let hostMax = 64

        private let state = Locked(State())

        func keep(_ session: ClientSession, for host: String) {
            state.withLock { state in
                state.order.removeAll { $0 == host }
                state.order.append(host)
                state.sessions[host] = session
                while state.order.count > Self.hostMax {
                    state.sessions[state.order.removeFirst()] = nil
                }
            }
        }

        func take(for host: String) -> ClientSession? {
            state.withLock { state in
                guard let session = state.sessions[host] else { return nil }
                if session.isForOnce || !session.isUsable {
                    state.sessions[host] = nil
                    state.order.removeAll { $0 == host }
                }
                return session.isUsable ? session : nil
            }
        }
    }
#endif
