/// How a connection becomes a secured one.
extension Socket {
    /// Secures a connection as its server, by `deadline` in the loop's nanoseconds.
    ///
    /// Nothing has been received on it yet. Throws ``TLSError``; the socket is then good for nothing
    /// but to be closed, or for ``dropSecurity()``. Cancelling the task ends it.
    package func secure(with server: TLSServer, until deadline: UInt64) async throws(TLSError)
        -> TLSSession
    {
        try await shakeHands(server.makePump(self), until: deadline)
    }

    /// Secures a connection as its client, by `deadline` in the loop's nanoseconds.
    ///
    /// `host` is the name or numeric address that was asked for: the certificate has to be for it.
    /// It is to be called on the loop; afterwards the socket moves bytes as one that is not
    /// secured. Throws ``TLSError``; the socket is then good for nothing but to be closed.
    package func secure(
        with client: TLSClient, host: String, until deadline: UInt64
    ) async throws(TLSError) -> TLSSession {
        try await shakeHands(client.makePump(self, host: host), until: deadline)
    }

    /// Makes the socket a plain one again after a handshake that has failed.
    ///
    /// Answers what was received of a client that does not speak TLS: see
    /// ``TLSError/Kind/plainHTTP``; nothing for others.
    package func dropSecurity() -> [UInt8] {
        guard case .tls(let pump) = unsafe transport else { return [] }
        unsafe transport = .plain
        unsafe isReadable = true
        return pump.failure?.kind == .plainHTTP ? pump.prelude ?? [] : []
    }

    private func shakeHands(_ pump: TLSPump, until deadline: UInt64) async throws(TLSError)
        -> TLSSession
    {
        assert(loop.isCurrent)
        unsafe transport = .tls(pump)
        while true {
            while unsafe loop.handshakesLeft == 0 { await loop.yield() }
            unsafe loop.handshakesLeft -= 1
            let readiness: Readiness
            switch try pump.shakeHands() {
            case .done:
                unsafe isReadable = true
                return try pump.session()
            case .wantsInput:
                unsafe isReadable = mayReceive
                readiness = await waitCancellably { await waitReadable(until: deadline) }
            case .wantsOutput:
                readiness = await waitCancellably { await waitWritable(until: deadline) }
            }
            switch readiness {
            case .ready: continue
            case .interrupted where unsafe !isInterrupted && !Task.isCancelled: continue
            case .timedOut: throw TLSError(.timedOut)
            case .interrupted, .busy: throw TLSError(.disconnected, "stopped")
            }
        }
    }

    /// Tells the other side that nothing follows, waiting as long as ``sendAll(_:hasMore:patience:)``
    /// would; a connection that is not secured needs no such thing.
    package func sayGoodbye(patience: UInt64) async {
        guard case .tls(let pump) = unsafe transport, isOpen, unsafe !isBroken else { return }
        while !pump.sayGoodbye() {
            // A connection that is lost needs no farewell.
            guard (try? await expectWritable(patience: patience)) != nil else { return }
        }
    }
}
