import WharfHTTP
import WharfNet

/// Opens connections: straight or through a proxy, plain or secure.
///
/// Its functions run on the loop.
struct Dialer: Sendable {
    let loop: EventLoop
    let pool: BlockingPool
    let configuration: HTTPClient.Configuration
    let secrets: ClientSecrets

    private var patience: UInt64 { configuration.idleTimeout.nanoseconds }

    /// Connects to an origin; what it takes together is bounded by `deadline`.
    ///
    /// Throws ``HTTPClientError`` or `CancellationError`.
    func connect(_ origin: HTTPURL.Origin, _ deadline: CallDeadline) async throws -> ByteStream {
        let limit = min(
            loop.now &+ configuration.connectTimeout.nanoseconds, deadline.time)
        let stream: ByteStream
        if let proxy = configuration.proxy {
            stream = try await tunnel(to: origin, through: proxy, limit)
        } else {
            stream = try await open(origin.host, origin.port, limit)
        }
        guard origin.scheme == .https else { return stream }
        return try await secure(stream, origin, limit)
    }

    private func open(_ host: String, _ port: UInt16, _ limit: UInt64) async throws -> ByteStream {
        do {
            let socket = try await Connector(loop: loop, pool: pool)
                .connect(host: host, port: port, deadline: limit)
            return ByteStream(socket, patience: patience)
        } catch let error as Errno {
            if Task.isCancelled { throw CancellationError() }
            throw HTTPClientError(
                error == .timedOut ? .timedOut : .notConnected, "can't connect to \(host):\(port)",
                errno: error)
        } catch {
            throw HTTPClientError.wrap(error, while: "connecting")
        }
    }

    private func secure(_ stream: ByteStream, _ origin: HTTPURL.Origin, _ limit: UInt64)
        async throws -> ByteStream
    {
        do {
            // What a proxy has sent behind its answer is not the server's: nothing has been asked.
            guard stream.inputCount == 0 else {
                throw HTTPClientError(.notSecure, "something came before the handshake")
            }
            let client = try await secrets.client(configuration.tls, on: pool)
            _ = try await stream.socket.secure(with: client, host: origin.host, until: limit)
            return stream
        } catch {
            stream.socket.close()
            guard let failure = error as? TLSError else { throw error }
            if Task.isCancelled { throw CancellationError() }
            switch failure.kind {
            case .timedOut: throw HTTPClientError(.timedOut, "the handshake took too long")
            case .disconnected:
                throw HTTPClientError(.connectionLost, "the connection broke in the handshake")
            default: throw HTTPClientError(.notSecure, "\(origin.host) is not trusted: \(failure)")
            }
        }
    }

    // MARK: Through a proxy

    private func tunnel(
        to origin: HTTPURL.Origin, through proxy: HTTPClient.Configuration.Proxy, _ limit: UInt64
    ) async throws -> ByteStream {
        var login = ProxyLogin(proxy.credentials)
        var stream = try await open(proxy.host, proxy.port, limit)
        while true {
            let head = try await ask(stream, origin, &login, limit)
            if (200..<300).contains(head.response.status.code) { return stream }
            let lines = head.response.headerFields[values: .proxyAuthenticate]
            let isChallenge = head.response.status.code == 407
            // The body of the refusal is not read: the next try is on a connection of its own.
            stream.socket.close()
            guard isChallenge, login.take(lines) else {
                throw HTTPClientError(
                    .proxyRefused(head.response.status),
                    "the proxy answered \(head.response.status.code)")
            }
            stream = try await open(proxy.host, proxy.port, limit)
        }
    }

    private func ask(
        _ stream: ByteStream, _ origin: HTTPURL.Origin, _ login: inout ProxyLogin, _ limit: UInt64
    ) async throws -> HTTPResponseHead {
        let name = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        let authority = "\(name):\(origin.port)"
        var fields: HTTPFields = [.host: authority]
        if let agent = configuration.userAgent { fields[.userAgent] = agent }
        if let value = login.value(authority) { fields[.proxyAuthorization] = value }
        let request = HTTPRequest(
            method: .connect, scheme: nil, authority: authority, path: nil, headerFields: fields)
        do {
            stream.write { output in
                HeadSerializer.appendRequestLine(request, to: &output)
                HeadSerializer.appendFields(request.headerFields, to: &output)
                HeadSerializer.appendEnd(to: &output)
            }
            try await stream.flush()
            return try await readHead(stream, limit)
        } catch {
            stream.socket.close()
            throw HTTPClientError.wrap(error, while: "asking the proxy")
        }
    }

    private func readHead(_ stream: ByteStream, _ limit: UInt64) async throws -> HTTPResponseHead {
        for _ in 0...max(0, configuration.interimMax) {
            var parser = HTTPResponseParser(
                requestMethod: .connect, limits: configuration.headLimits)
            while true {
                let head = try stream.withInput { input throws(HTTPParseError) in
                    try parser.parse(input)
                }
                guard let head else {
                    try await stream.awaitInput(until: limit)
                    continue
                }
                stream.consume(head.byteCount)
                if head.response.status.code >= 200 { return head }
                break
            }
        }
        throw HTTPClientError(.tooLarge, "the proxy sent too many interim answers")
    }
}

extension ByteStream {
    /// Waits for more input and receives it; throws at the end of the input, too.
    fileprivate func awaitInput(until limit: UInt64) async throws {
        while true {
            switch receive(countMax: 16 * 1024) {
            case .bytes: return
            case .ended: throw Errno.connectionReset
            case .failed(let error): throw error
            case .wouldBlock: break
            }
            switch await socket.waitCancellably({ await socket.waitReadable(until: limit) }) {
            case .ready: continue
            case .timedOut: throw Errno.timedOut
            case .interrupted where !Task.isCancelled && !socket.isInterrupted: continue
            case .interrupted: throw Errno.cancelled
            case .busy: throw Errno.alreadyWaiting
            }
        }
    }
}
