import WharfHTTP
import WharfNet

/// How a connection reads heads and bodies.
extension HTTPServerConnection {
    /// What reading a head came to.
    enum HeadStep {
        case head(HTTPRequestHead)
        /// The bytes are no request that we take: answer and close.
        case refused(HTTPParseError)
        /// No byte has come: wait for one.
        case nothing
        case ended
    }

    static let receiveMax = 64 * 1024

    /// Reads one head; its time runs from its first byte.
    func readHead() async -> HeadStep {
        var parser = HTTPRequestParser(limits: server.configuration.headLimits)
        var deadline: UInt64?
        while true {
            if unsafe !inbox.isEmpty {
                do throws(HTTPParseError) {
                    let head = unsafe try inbox.withSpan { span throws(HTTPParseError) in
                        try parser.parse(span)
                    }
                    if let head {
                        unsafe inbox.consume(head.byteCount)
                        return .head(head)
                    }
                } catch {
                    return .refused(error)
                }
                deadline = deadline ?? state.loop.now &+ server.headTimeout
            }
            // Whoever waits for an answer before sending more has it before we wait.
            if unsafe !outbox.isEmpty, await !flush() { return .ended }
            switch unsafe socket.receive(into: &inbox, countMax: Self.receiveMax) {
            case .bytes: continue
            case .ended, .failed: return .ended
            case .wouldBlock: break
            }
            guard let deadline else { return .nothing }
            switch await socket.waitReadable(until: deadline) {
            case .ready: continue
            case .timedOut:
                return .refused(HTTPParseError(.requestTimeout, "the head took too long"))
            case .interrupted where !socket.isInterrupted: continue
            case .interrupted, .busy: return .ended
            }
        }
    }

    /// The next piece of the present body, or `nil` after the last; for ``BodyReader``.
    func readBody() async throws -> [UInt8]? {
        unsafe try body.check()
        do {
            return try await readBodyPiece()
        } catch let error as HTTPExchangeError where error.kind == .alreadyInUse {
            throw error
        } catch {
            unsafe body.fail(error)
            throw error
        }
    }

    private func readBodyPiece() async throws -> [UInt8]? {
        while unsafe !body.isFinished {
            let piece = unsafe try body.take(from: &inbox)
            if !piece.isEmpty { return piece }
            if unsafe body.isFinished { break }
            try await sendContinue()
            switch unsafe socket.receive(into: &inbox, countMax: 256 * 1024) {
            case .bytes:
                await socket.yieldIfDue()
            case .ended:
                throw HTTPError(.badRequest, reason: "the body ended early")
            case .failed:
                throw HTTPExchangeError(.disconnected)
            case .wouldBlock:
                try await waitForBody()
            }
        }
        return nil
    }

    private func waitForBody() async throws {
        switch await socket.waitReadable(until: state.loop.now &+ server.bodyTimeout) {
        case .ready: return
        case .timedOut: throw HTTPError(.requestTimeout, reason: "the body stalled")
        case .interrupted: throw HTTPExchangeError(.disconnected)
        case .busy: throw HTTPExchangeError(.alreadyInUse)
        }
    }

    /// Tells a client that waits for it that its body is wanted (RFC 9110 §10.1.1).
    private func sendContinue() async throws {
        guard unsafe body.awaitsContinue else { return }
        unsafe body.awaitsContinue = false
        unsafe outbox.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
        guard await flush() else { throw HTTPExchangeError(.disconnected) }
    }

    // MARK: What is left of a body

    /// Bytes of an unread body that are thrown away so that the connection can be kept.
    static let drainMax: Int64 = 256 * 1024
    private static let drainTime: UInt64 = 2_000_000_000

    /// Reads on to the next request. False when that is not worth it, or not possible.
    func settleBody() async -> Bool {
        guard unsafe !body.isFinished else { return true }
        guard unsafe !isClosing, unsafe !body.hasFailed, await flush() else { return false }
        let deadline = state.loop.now &+ Self.drainTime
        var left = Self.drainMax
        while unsafe !body.isFinished {
            guard let piece = unsafe try? body.take(from: &inbox) else { return false }
            left -= Int64(piece.count)
            guard left >= 0 else { return false }
            if unsafe !piece.isEmpty || body.isFinished { continue }
            guard await receiveMore(until: deadline) else { return false }
        }
        return true
    }

    /// Sees to it that what was sent arrives, and closes.
    ///
    /// RFC 9112 §9.6: closing while the client still sends makes the kernel answer with RST, which
    /// destroys the response on its way. So: FIN, read to the end for a while, then close.
    func end() async {
        defer { socket.close() }
        guard !socket.isBroken, await flush() else { return }
        unsafe inbox.discard()
        if unsafe body.isFinished, !socket.mayHaveInput { return }
        socket.finishSending()
        let deadline = state.loop.now &+ Self.drainTime
        var left = Self.drainMax
        while left > 0, await receiveMore(until: deadline) {
            unsafe left -= Int64(inbox.count)
            unsafe inbox.discard()
        }
    }

    private func receiveMore(until deadline: UInt64) async -> Bool {
        while true {
            switch unsafe socket.receive(into: &inbox, countMax: Self.receiveMax) {
            case .bytes:
                await socket.yieldIfDue()
                return true
            case .ended, .failed: return false
            case .wouldBlock: break
            }
            guard await socket.waitReadable(until: deadline) == .ready else { return false }
        }
    }
}
