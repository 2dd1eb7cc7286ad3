/// A connection as two queues of bytes: what was received and not used, what is ready to be sent.
///
/// It is confined to its socket's loop. Between uses it holds no memory: see ``rest()``.
@safe package final class ByteStream: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    package let socket: Socket
    /// Sees what is used of the input and what is made ready to be sent.
    package var tap: (any StreamTap)?
    /// How long a write may move no byte before it fails, in nanoseconds.
    private let patience: UInt64

    // Unchecked: one thread uses them, and no access spans a suspension or a call back into here.
    // The run-time checks would cost a tenth of a small request.
    @exclusivity(unchecked) private var input = ReadBuffer()
    @exclusivity(unchecked) private var output: [UInt8] = []

    package init(_ socket: Socket, patience: UInt64) {
        self.socket = socket
        self.patience = patience
    }

    private var loop: EventLoop { socket.loop }

    // MARK: Memory

    /// Gives the memory of empty queues to whoever needs some.
    package func rest() {
        assert(loop.isCurrent)
        if unsafe output.isEmpty { unsafe loop.giveBack(&output) }
        if unsafe input.isEmpty { unsafe input.lendStorage { loop.giveBack(&$0) } }
    }

    // MARK: Input

    /// Bytes that were received and not used.
    package var inputCount: Int { unsafe input.count }

    /// Receives what is there and appends it, at most `countMax` bytes.
    package func receive(countMax: Int) -> ReceiveStep {
        if unsafe !input.hasStorage { unsafe input.lendStorage { loop.takeBuffer(&$0) } }
        return unsafe socket.receive(into: &input, countMax: countMax)
    }

    /// Receives into a block, past the input, which is empty; at most `countMax` bytes.
    package func receive(into block: TransferBlock, countMax: Int) -> ReceiveStep {
        assert(inputCount == 0)
        return block.receive(from: socket, countMax: countMax)
    }

    /// Makes bytes that were received past the input the input, which is empty.
    package func putBack(_ bytes: [UInt8]) {
        assert(inputCount == 0)
        if !bytes.isEmpty { unsafe input = ReadBuffer(bytes) }
    }

    /// Lends the bytes that were received and not used.
    package func withInput<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        unsafe try input.withSpan(body)
    }

    /// Copies a range of the input, counted from its first byte.
    package func copyInput(_ range: Range<Int>) -> [UInt8] { unsafe input.bytes(in: range) }

    /// Appends a range of the input, counted from its first byte, to an array.
    package func appendInput(_ range: Range<Int>, to bytes: inout [UInt8]) {
        unsafe input.append(range, to: &bytes)
    }

    /// Drops bytes from the input's front.
    ///
    /// It traps when there are not that many.
    package func consume(_ count: Int) {
        if let tap { tap.note(used: copyInput(0..<count)) }
        unsafe input.consume(count)
    }

    /// Takes all input out.
    package func takeInput() -> [UInt8] { unsafe input.takeAll() }

    /// Drops all input.
    package func discardInput() { unsafe input.discard() }

    // MARK: Output

    /// Bytes that wait to be sent.
    package var outputCount: Int { unsafe output.count }

    /// Bytes that were received so far.
    package var receivedCount: Int64 { unsafe socket.receivedByteCount }

    /// Bytes that the kernel has taken so far.
    package var sentCount: Int64 { unsafe socket.sentByteCount }

    /// What ``sentCount`` will be when all that waits has been sent.
    package var position: Int64 { sentCount &+ Int64(outputCount) }

    /// Lets the closure append to what waits to be sent.
    package func write(_ append: (inout [UInt8]) -> Void) {
        assert(loop.isCurrent)
        if unsafe output.capacity == 0 { unsafe loop.takeBuffer(&output) }
        let count = outputCount
        unsafe append(&output)
        if let tap { tellOutput(tap, from: count) }
    }

    private func tellOutput(_ tap: any StreamTap, from start: Int) {
        tap.note(sent: unsafe Array(output[start...]))
    }

    /// Lets the closure append, and then appends a part of a file: both, or nothing if the part
    /// would have to be waited for.
    ///
    /// For small parts, which leave in one call with what goes before them.
    package func writeIfCached(_ span: FileSpan, after append: (inout [UInt8]) -> Void) -> Bool {
        assert(loop.isCurrent)
        if unsafe output.capacity == 0 { unsafe loop.takeBuffer(&output) }
        let count = outputCount
        let isDone = unsafe loop.appendIfCached(span, to: &output, after: append)
        if isDone, let tap { tellOutput(tap, from: count) }
        return isDone
    }

    /// Sends what waits, if all of it fits at once.
    ///
    /// False: ``flush(hasMore:)`` sees to the rest.
    package func flushAtOnce() -> Bool {
        guard unsafe !output.isEmpty else { return true }
        // An error is met again, and told, by `flush`.
        guard let sent = unsafe try? socket.send(output, from: 0) else { return false }
        if unsafe sent == output.count {
            unsafe output.removeAll(keepingCapacity: true)
            return true
        }
        unsafe output.removeFirst(sent)
        return false
    }

    /// Sends what waits.
    ///
    /// Throws when the connection is gone or takes nothing for too long.
    package func flush(hasMore: Bool = false) async throws {
        guard unsafe !output.isEmpty else { return }
        let all = unsafe output
        unsafe output = []
        try await socket.sendAll(all, hasMore: hasMore, patience: patience)
    }

    /// Sends bytes after what waits, without copying them first.
    package func send(_ bytes: [UInt8]) async throws {
        tap?.note(sent: bytes)
        try await flush(hasMore: true)
        try await socket.sendAll(bytes, patience: patience)
    }

    /// Sends a part of a file after what waits; `warm` is to bring a window of it into memory.
    ///
    /// Throws ``Errno/truncated`` when the file has become shorter.
    package func send(_ span: FileSpan, warm: (Range<Int64>) async throws -> Void) async throws {
        if span.range.count <= Self.copiedMax, appendIfCached(span) { return }
        // Not held back for the file (MSG_MORE): a head that shares segments with pages of a file
        // costs the kernel a third more than one small segment of its own.
        try await flush()
        var offset = span.range.lowerBound
        var warmEnd = offset
        while offset < span.range.upperBound {
            let window = span.window(from: offset)
            if offset >= warmEnd {
                if !span.isCached(window) { try await warm(window) }
                warmEnd = window.upperBound
            }
            // Not past what was looked at: a part that was sent moves the window on.
            let warmed = offset..<min(window.upperBound, warmEnd)
            guard let count = try socket.sendFile(span, warmed) else {
                try await socket.expectWritable(patience: patience)
                continue
            }
            tap?.note(sent: span, offset..<(offset + Int64(count)))
            offset += Int64(count)
            await socket.yieldIfDue()
        }
    }

    /// Sends what waits and then a part of a file, as far as the socket takes them at once: what is
    /// left of the part, for ``send(_:warm:)``.
    ///
    /// For parts that are in memory and no longer than a window.
    package func sendAtOnce(_ span: FileSpan) -> FileSpan {
        // An error is met again, and told, by `send`.
        guard flushAtOnce(),
            let sent = try? socket.sendFile(span, span.window(from: span.range.lowerBound))
        else { return span }
        let end = span.range.lowerBound + Int64(sent)
        tap?.note(sent: span, span.range.lowerBound..<end)
        return FileSpan(span.handle, end..<span.range.upperBound)
    }

    /// Parts of files up to this size leave in one call with what goes before them.
    private static let copiedMax = 64 * 1024

    private func appendIfCached(_ span: FileSpan) -> Bool {
        if unsafe output.capacity == 0 { unsafe loop.takeBuffer(&output) }
        let count = outputCount
        let isDone = unsafe loop.appendIfCached(span, to: &output)
        if isDone, let tap { tellOutput(tap, from: count) }
        return isDone
    }

    // MARK: Ending

    /// Closes at once with RST, so that the peer can't take a part for the whole.
    package func reset() {
        unsafe output = []
        socket.reset()
    }
}
