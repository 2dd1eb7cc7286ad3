/// What lies between the bytes of a socket's users and those that the kernel has.
enum Transport {
    case plain
    case tls(TLSPump)
}

/// How bytes move when a connection is secured.
extension Socket {
    /// Whether what moves is encrypted.
    package var isSecure: Bool {
        if case .tls = unsafe transport { true } else { false }
    }

    /// What has ended a secured connection, if it is not the farewell; `nil` otherwise.
    package var securityFailure: TLSError? {
        if case .tls(let pump) = unsafe transport { pump.failure } else { nil }
    }

    // MARK: Decrypted bytes

    @inline(never)
    func decrypt(into window: UnsafeMutableRawBufferPointer, by pump: TLSPump) -> ReceiveStep {
        let step = unsafe pump.read(into: window)
        switch step {
        case .bytes(let count):
            unsafe receivedByteCount &+= Int64(count)
            if count < window.count, !pump.mayHaveInput { unsafe isReadable = false }
        case .wouldBlock: unsafe isReadable = false
        case .ended: unsafe peerHasFinished = true
        case .failed: unsafe isBroken = true
        }
        return step
    }

    @inline(never)
    func encrypt(_ bytes: [UInt8], _ start: Int, by pump: TLSPump) throws(Errno) -> Int? {
        try unsafe bytes.span.withUnsafeBytes { (raw) throws(Errno) in
            try unsafe encrypt(UnsafeRawBufferPointer(rebasing: raw[start...]), by: pump)
        }
    }

    private func encrypt(_ bytes: UnsafeRawBufferPointer, by pump: TLSPump) throws(Errno) -> Int? {
        do throws(Errno) {
            let count = try unsafe pump.write(bytes)
            unsafe sentByteCount &+= Int64(count ?? 0)
            return count
        } catch {
            noteBroken()
            throw error
        }
    }

    /// Reads a part of a window of a file, and sends that.
    @inline(never)
    func encrypt(_ span: FileSpan, _ window: Range<Int64>, by pump: TLSPump) throws(Errno) -> Int? {
        guard !window.isEmpty else { return 0 }
        let scratch = unsafe UnsafeMutableRawBufferPointer(
            rebasing: loop.scratch.bytes.prefix(min(window.count, TLSPump.batchMax)))
        // What is held is the start of the window, and need not be read again.
        if pump.holdsBytes { return try unsafe encrypt(UnsafeRawBufferPointer(scratch), by: pump) }
        switch unsafe span.read(into: scratch, at: window.lowerBound, cachedOnly: false) {
        case .success(0): throw .truncated
        case .success(let count):
            return try unsafe encrypt(
                UnsafeRawBufferPointer(rebasing: scratch[..<count]), by: pump)
        case .failure: throw .unreadable
        }
    }

    // MARK: The kernel's bytes

    /// Receives what is encrypted.
    func receiveRaw(into window: UnsafeMutableRawBufferPointer) -> ReceiveStep {
        guard unsafe mayReceive else { return .wouldBlock }
        switch unsafe loop.system.receive(descriptor, into: window) {
        case .success(0): return .ended
        case .success(let count):
            note(count)
            // Edge-triggered: a short read has emptied the socket.
            if count < window.count, unsafe !peerHasFinished, unsafe !isBroken {
                unsafe mayReceive = false
            }
            return .bytes(count)
        case .failure(let error) where error.isWouldBlock:
            unsafe mayReceive = false
            return .wouldBlock
        case .failure(let error): return .failed(error)
        }
    }

    /// Sends what is encrypted: how much of it, `nil` when the kernel takes nothing.
    func sendRaw(_ bytes: [UInt8], from start: Int) throws(Errno) -> Int? {
        guard isOpen else { throw .cancelled }
        let result = unsafe bytes.withUnsafeBytes { raw in
            unsafe loop.system.send(
                descriptor, UnsafeRawBufferPointer(rebasing: raw[start...]), hasMore: false)
        }
        switch result {
        case .success(let count):
            note(count)
            return count
        case .failure(let error) where error.isWouldBlock:
            unsafe isWritable = false
            return nil
        case .failure(let error): throw error
        }
    }
}
