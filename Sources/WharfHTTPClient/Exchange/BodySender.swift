import WharfHTTP
import WharfNet

/// Sends the head and the body of one request; confined to the loop but for ``run()``.
///
/// The head lies in the stream's output already.
final class BodySender: @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop's thread only.

    private enum State {
        case sending
        case done
        /// The network's error, or one of whoever makes the body.
        case failed(any Error, isLocal: Bool)
    }

    let loop: EventLoop
    private let stream: ByteStream
    private let pool: BlockingPool
    private let body: HTTPClient.Body
    private let progress: BodyProgress?
    private let continueTime: UInt64
    private var isAwaitingContinue: Bool
    private let gate: LoopGate
    private var state = State.sending
    private var writtenCount: Int64 = 0
    private var isWriting = false
    /// Whether the body lies in the stream's output.
    private var isAppended = false
    /// Whether some of the body has left, or may have.
    private(set) var hasBegun = false
    /// Whether it waited in vain for 100 (Continue).
    private(set) var wasLeftWaiting = false

    private static let smallMax = 64 * 1024
    private static let stepSize: Int64 = 1 << 20

    init(
        _ stream: ByteStream, _ pool: BlockingPool, _ request: HTTPClient.Request,
        body: HTTPClient.Body, awaitsContinue: Bool, continueTimeout: Duration
    ) {
        loop = stream.socket.loop
        self.stream = stream
        self.pool = pool
        self.body = body
        progress = request.progress
        progress?.restart()
        isAwaitingContinue = awaitsContinue
        continueTime = continueTimeout.nanoseconds
        gate = LoopGate(loop)
    }

    // MARK: What the reader asks

    /// Whether it is at work still.
    var isBusy: Bool { if case .sending = state { true } else { false } }

    /// Whether all has left.
    var isDone: Bool { if case .done = state { true } else { false } }

    /// The error of whoever makes the body: without it there is nothing to be answered.
    var localError: (any Error)? {
        if case .failed(let error, true) = state { error } else { nil }
    }

    /// What has kept it from sending all.
    var error: (any Error)? { if case .failed(let error, _) = state { error } else { nil } }

    /// The server has said 100 (Continue), or has answered otherwise.
    func stopWaiting() {
        isAwaitingContinue = false
        gate.open()
    }

    // MARK: Sending

    /// Sends what is small and need not wait: whether that is all.
    func sendAtOnce() -> Bool {
        guard !isAwaitingContinue else { return false }
        switch body.content {
        case .none: break
        case .segments(let segments):
            let pieces = segments.compactMap(\.bytes)
            guard let length = body.length, length <= Self.smallMax,
                pieces.count == segments.count
            else { return false }
            for bytes in pieces { stream.write { $0 += bytes } }
            // Whatever becomes of it, it may have left.
            hasBegun = length > 0
            progress?.add(length)
        case .stream: return false
        }
        // What is left of it needs no second writing: `run` flushes.
        isAppended = true
        if stream.flushAtOnce() { state = .done }
        return isDone
    }

    /// Sends all; errors are kept for the reader.
    func run() async {
        let failure: (any Error)?
        var isLocal = false
        do {
            try await loop.confine { [self] in try await begin() }
            if case .stream(_, _, let produce) = body.content {
                do {
                    try await produce(HTTPClient.BodyWriter(sender: self))
                } catch {
                    isLocal = true
                    throw error
                }
            }
            try await loop.confine { [self] in try await end() }
            failure = nil
        } catch {
            isLocal = isLocal || error is HTTPClientError
            failure = error
        }
        let isOwn = isLocal
        // It throws nothing.
        try? await loop.confine { [self] in settle(failure, isLocal: isOwn) }
    }

    private func settle(_ failure: (any Error)?, isLocal: Bool) {
        if let failure {
            // What broke the connection under a body that is made is the network's error.
            let isNetworks = failure is Errno || failure is CancellationError
            state = .failed(failure, isLocal: isLocal && !isNetworks)
        } else {
            state = .done
        }
        stream.socket.nudgeReader()
    }

    private func begin() async throws {
        if isAwaitingContinue {
            try await stream.flush()
            try await waitForContinue()
        }
        guard case .segments(let segments) = body.content else {
            // Whoever makes the body may wait for the answer first.
            return try await stream.flush()
        }
        guard !isAppended else { return }
        hasBegun = true
        for segment in segments { try await send(segment) }
    }

    /// RFC 9110 §10.1.1: not for ever, as some servers never say it.
    private func waitForContinue() async throws {
        let deadline = loop.now &+ continueTime
        let timer = LoopTimer(loop)
        timer.start(by: deadline) { [gate] now in
            guard now >= deadline else { return deadline }
            gate.open()
            return nil
        }
        defer { timer.stop() }
        while isAwaitingContinue, loop.now < deadline { try await gate.wait() }
        wasLeftWaiting = isAwaitingContinue
    }

    private func send(_ segment: HTTPClient.Body.Segment) async throws {
        switch segment {
        case .bytes(let bytes) where bytes.count <= Self.smallMax:
            stream.write { $0 += bytes }
            if stream.outputCount > Self.smallMax { try await stream.flush() }
            progress?.add(Int64(bytes.count))
        case .bytes(let bytes):
            try await stream.send(bytes)
            progress?.add(Int64(bytes.count))
        case .file(let source): try await send(source)
        }
    }

    /// Sends a file, but its last window only after a look whether it is still what it was: so that
    /// nobody takes a mixture of two states for the whole.
    private func send(_ source: FileSource) async throws {
        let held = max(
            source.range.lowerBound, source.range.upperBound - FileSpan.windowSizeMax)
        var offset = source.range.lowerBound
        while offset < source.range.upperBound {
            if offset == held { try await pool.run { try source.checkUnchanged() } }
            let limit = offset < held ? held : source.range.upperBound
            let next = min(offset + Self.stepSize, limit)
            let span = source.part(offset..<next).span
            try await stream.send(span) { [pool] window in
                try await pool.run { span.warm(window) }
            }
            progress?.add(next - offset)
            offset = next
        }
        try await pool.run { try source.checkUnchanged() }
    }

    /// A piece of a body that is made.
    func write(_ bytes: [UInt8]) async throws {
        guard isBusy, !isWriting else {
            throw HTTPClientError(.misuse, "a body is written after its end, or by two tasks")
        }
        guard !bytes.isEmpty else { return }
        isWriting = true
        defer { isWriting = false }
        try Task.checkCancellation()
        let count = Int64(bytes.count)
        if let length = body.length, count > length - writtenCount {
            throw HTTPClientError(
                .wrongBodyLength, "the body is longer than the \(length) bytes that were said")
        }
        hasBegun = true
        writtenCount += count
        let isChunked = body.length == nil
        if isChunked {
            stream.write { ChunkedEncoder.appendHead(count: bytes.count, to: &$0) }
        }
        if bytes.count <= Self.smallMax {
            stream.write { $0 += bytes }
        } else {
            try await stream.send(bytes)
        }
        if isChunked { stream.write { $0 += ChunkedEncoder.dataEnd } }
        try await stream.flush()
        progress?.add(count)
    }

    private func end() async throws {
        if case .stream(let length, _, _) = body.content {
            if let length {
                guard writtenCount == length else {
                    throw HTTPClientError(
                        .wrongBodyLength,
                        "the body has \(writtenCount) bytes, and \(length) were said")
                }
            } else {
                hasBegun = true
                stream.write { ChunkedEncoder.appendEnd(to: &$0) }
            }
        }
        try await stream.flush()
    }
}
