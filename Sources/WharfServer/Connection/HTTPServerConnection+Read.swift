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
        /// Only a part has come.
        case incomplete
        case ended
    }

    static let receiveMax = 64 * 1024

    /// Reads a head out of what was received, or receives once; waits for nothing.
    func readHead() -> HeadStep {
        if stream.inputCount == 0 {
            guard socket.mayHaveInput else { return .nothing }
            switch stream.receive(countMax: Self.receiveMax) {
            case .bytes: break
            case .ended, .failed: return .ended
            case .wouldBlock: return .nothing
            }
        }
        var parser = HTTPRequestParser(limits: server.configuration.headLimits)
        return parse(&parser)
    }

    private func parse(_ parser: inout HTTPRequestParser) -> HeadStep {
        do throws(HTTPParseError) {
            let head = try stream.withInput { span throws(HTTPParseError) in
                try parser.parse(span)
            }
            guard let head else { return .incomplete }
            recorder?.begin()
            stream.consume(head.byteCount)
            return .head(head)
        } catch {
            return .refused(error)
        }
    }

    /// Waits until the head whose first bytes are there is whole, so that ``readHead()`` finds it.
    ///
    /// Its time runs from here: its first byte has just been received. False: there will be none.
    @inline(never)
    func awaitHead() async -> Bool {
        let deadline = state.loop.now &+ server.headTimeout
        var parser = HTTPRequestParser(limits: server.configuration.headLimits)
        while true {
            // Whoever waits for an answer before sending more has it before we wait.
            guard await flush() else { return false }
            do throws(HTTPParseError) {
                let head = try stream.withInput { span throws(HTTPParseError) in
                    try parser.parse(span)
                }
                if head != nil { return true }
            } catch {
                refuse(error)
                return false
            }
            switch stream.receive(countMax: Self.receiveMax) {
            case .bytes: continue
            case .ended, .failed:
                server.log(
                    .info,
                    "\(identity.peer.address): gone after \(stream.inputCount) bytes of a head")
                return false
            case .wouldBlock: break
            }
            switch await socket.waitReadable(until: deadline) {
            case .ready: break
            case .timedOut:
                refuse(HTTPParseError(.requestTimeout, "the head took too long"))
                return false
            case .interrupted where !socket.isInterrupted: break
            case .interrupted, .busy: return false
            }
        }
    }

    /// The next piece of the present body, or `nil` after the last.
    func readBody(_ body: RequestBody) async throws -> [UInt8]? {
        try body.check()
        guard !body.isBeingRead else { throw HTTPExchangeError(.alreadyInUse) }
        body.isBeingRead = true
        defer { body.isBeingRead = false }
        do {
            return try await readPiece(body)
        } catch let error as HTTPExchangeError where error.kind == .ended {
            throw error
        } catch let error as CancellationError {
            // Who asked has given up; the body is as good as before.
            throw error
        } catch {
            body.fail(error)
            throw error
        }
    }

    private func readPiece(_ body: RequestBody) async throws -> [UInt8]? {
        while !body.isFinished {
            let piece = try body.take(from: stream)
            if !piece.isEmpty { return piece }
            if body.isFinished { break }
            try await sendContinue(body)
            switch stream.receive(countMax: 256 * 1024) {
            case .bytes:
                await socket.yieldIfDue()
            case .ended:
                throw HTTPError(.badRequest, reason: "the body ended early")
            case .failed:
                throw HTTPExchangeError(.disconnected)
            case .wouldBlock:
                try await wait(for: body)
            }
        }
        return nil
    }

    func wait(for body: RequestBody) async throws {
        let readiness = await socket.waitCancellably {
            await socket.waitForMore(patience: server.bodyTimeout)
        }
        switch readiness {
        case .ready: return
        case .timedOut: throw HTTPError(.requestTimeout, reason: "the body stalled")
        case .interrupted:
            if body.hasExpired { throw HTTPExchangeError(.ended) }
            if socket.isInterrupted || socket.isBroken { throw HTTPExchangeError(.disconnected) }
            try Task.checkCancellation()
        case .busy: throw HTTPExchangeError(.alreadyInUse)
        }
    }

    /// Cuts the link of a body whose exchange is over; whoever still waits for it is told.
    func expire(_ body: RequestBody) async {
        body.expire()
        while body.isBeingRead, !socket.isInterrupted {
            socket.nudgeReader()
            await state.loop.yield()
        }
    }

    /// Tells a client that waits for it that its body is wanted (RFC 9110 §10.1.1).
    func sendContinue(_ body: RequestBody) async throws {
        guard body.awaitsContinue else { return }
        body.awaitsContinue = false
        stream.write { $0.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        guard await flush() else { throw HTTPExchangeError(.disconnected) }
    }

    // MARK: What is left of a body

    /// Bytes of an unread body that are thrown away so that the connection can be kept.
    static let drainMax: Int64 = 256 * 1024
    private static let drainTime: UInt64 = 2_000_000_000

    /// What is wrong with the framing of a body that has come already, and that nobody has read.
    ///
    /// RFC 9112 §7.1: such a request is malformed, so it gets no answer as if it were whole. A body
    /// that is read while the response is sent is left alone.
    func faultOfUnreadBody(_ exchange: Exchange) -> HTTPParseError? {
        guard let body = exchange.body, !body.isBeingRead, !body.hasFailed,
            exchange.response?.body.isReadyToSend ?? false
        else { return nil }
        do {
            while stream.inputCount > 0, !(try body.take(from: stream)).isEmpty {}
        } catch {
            body.fail(error)
            return error as? HTTPParseError
        }
        return nil
    }

    /// Reads what is left of a body that has to be over; false when that can't be.
    func hasRead(_ body: RequestBody?) async -> Bool {
        guard let body, !body.isFinished else { return true }
        guard (try? await sendContinue(body)) != nil else { return false }
        return await settle(body)
    }

    /// Reads on to the next request.
    ///
    /// False when that is not worth it, or not possible.
    @inline(never)
    func settle(_ body: RequestBody) async -> Bool {
        guard !isClosing, body.isWorthReading, await flush() else { return false }
        let deadline = state.loop.now &+ Self.drainTime
        var left = Self.drainMax
        while !body.isFinished {
            guard let piece = try? body.take(from: stream) else { return false }
            left -= Int64(piece.count)
            guard left >= 0 else { return false }
            if !piece.isEmpty || body.isFinished { continue }
            guard await receiveMore(until: deadline) else { return false }
        }
        return true
    }

    /// Sees to it that what was sent arrives, and closes.
    ///
    /// RFC 9112 §9.6: closing while the client still sends makes the kernel answer with RST, which
    /// destroys the response on its way. So: FIN, read to the end for a while, then close.
    @inline(never)
    func end() async {
        defer {
            socket.close()
            tellEnded()
        }
        if let failure = socket.securityFailure, failure.kind == .brokenRecord {
            server.log(.notice, "\(identity.peer.address): \(failure)")
        }
        guard !socket.isBroken, await flush() else { return }
        if socket.isSecure { await socket.sayGoodbye(patience: server.writeTimeout) }
        stream.discardInput()
        if !mayReceiveMore { return }
        socket.finishSending()
        let deadline = state.loop.now &+ Self.drainTime
        var left = Self.drainMax
        while left > 0, await receiveMore(until: deadline) {
            left -= Int64(stream.inputCount)
            stream.discardInput()
        }
    }

    /// Whether the client can be expected to send more, or to have sent more than was read.
    private var mayReceiveMore: Bool {
        if socket.mayHaveInput { return true }
        if let body, !body.isFinished { return true }
        // It was the server that ended it: the next request may be on its way.
        return isClosing && !clientIsDone
    }

    private func receiveMore(until deadline: UInt64) async -> Bool {
        while true {
            switch stream.receive(countMax: Self.receiveMax) {
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
