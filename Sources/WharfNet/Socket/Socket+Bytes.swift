/// How bytes move through a socket, none of which waits.
extension Socket {
    /// Receives into the loop's scratch memory and appends to the buffer, at most `countMax` bytes.
    package func receive(into buffer: inout ReadBuffer, countMax: Int) -> ReceiveStep {
        let scratch = unsafe loop.scratch.bytes
        let window = unsafe UnsafeMutableRawBufferPointer(
            rebasing: scratch[..<min(countMax, scratch.count)])
        let step = unsafe receive(into: window)
        if case .bytes(let count) = step {
            unsafe buffer.append(UnsafeRawBufferPointer(rebasing: window[..<count]))
        }
        return step
    }

    /// Receives a new array of what is there, at most `countMax` bytes.
    package func receive(countMax: Int) -> (ReceiveStep, [UInt8]) {
        let scratch = unsafe loop.scratch.bytes
        let window = unsafe UnsafeMutableRawBufferPointer(
            rebasing: scratch[..<min(countMax, scratch.count)])
        let step = unsafe receive(into: window)
        guard case .bytes(let count) = step else { return (step, []) }
        return (step, unsafe Array(window[..<count]))
    }

    func receive(into window: UnsafeMutableRawBufferPointer) -> ReceiveStep {
        assert(loop.isCurrent)
        guard isOpen else { return .failed(.cancelled) }
        // The poller would have told: the call that says "nothing" is saved.
        guard unsafe isReadable else { return .wouldBlock }
        if case .tls(let pump) = unsafe transport { return unsafe decrypt(into: window, by: pump) }
        switch unsafe loop.system.receive(descriptor, into: window) {
        case .success(0):
            unsafe isReadable = true
            unsafe peerHasFinished = true
            return .ended
        case .success(let count):
            note(count)
            unsafe receivedByteCount &+= Int64(count)
            // Edge-triggered: a short read has emptied the socket, and saves the call that says so.
            if count < window.count, unsafe !peerHasFinished, unsafe !isBroken {
                unsafe isReadable = false
            }
            return .bytes(count)
        case .failure(let error) where error.isWouldBlock:
            unsafe isReadable = false
            return .wouldBlock
        case .failure(let error):
            unsafe isBroken = true
            return .failed(error)
        }
    }

    /// Sends what fits now of the bytes from `start` on; `nil` when none does.
    package func send(_ bytes: [UInt8], from start: Int, hasMore: Bool = false) throws(Errno)
        -> Int?
    {
        guard isOpen else { throw .cancelled }
        if case .tls(let pump) = unsafe transport { return try encrypt(bytes, start, by: pump) }
        let result = unsafe bytes.withUnsafeBytes { raw in
            unsafe loop.system.send(
                descriptor, UnsafeRawBufferPointer(rebasing: raw[start...]), hasMore: hasMore)
        }
        return try settleSend(result)
    }

    /// Sends what fits now of a window of a file; `nil` when nothing does.
    ///
    /// Throws ``Errno/truncated`` when the file has become shorter, ``Errno/unreadable`` when it
    /// can't be read.
    package func sendFile(_ span: FileSpan, _ window: Range<Int64>) throws(Errno) -> Int? {
        guard isOpen else { throw .cancelled }
        if case .tls(let pump) = unsafe transport { return try encrypt(span, window, by: pump) }
        let result = unsafe span.send(window, to: descriptor, through: loop.system)
        switch result {
        case .failure(.truncated): throw .truncated
        case .failure(.unreadable): throw .unreadable
        case .success, .failure: return try settleSend(result)
        }
    }

    private func settleSend(_ result: SystemResult) throws(Errno) -> Int? {
        switch result {
        case .success(let count):
            note(count)
            unsafe sentByteCount &+= Int64(count)
            return count
        case .failure(let error) where error.isWouldBlock:
            unsafe isWritable = false
            return nil
        case .failure(let error):
            unsafe isBroken = true
            throw error
        }
    }

    /// Sends all bytes.
    ///
    /// A wait during which not one moves for `patience` nanoseconds is an error.
    package func sendAll(_ bytes: [UInt8], hasMore: Bool = false, patience: UInt64) async throws {
        var sent = 0
        while sent < bytes.count {
            if let count = try send(bytes, from: sent, hasMore: hasMore) {
                sent += count
                if sent < bytes.count { await yieldIfDue() }
                continue
            }
            try await expectWritable(patience: patience)
        }
    }

    func note(_ count: Int) {
        assert(loop.isCurrent)
        unsafe pace.noteMoved(count)
        unsafe turnBytes &+= count
        unsafe turnOperations &+= 1
    }
}
