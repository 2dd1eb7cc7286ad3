import WharfNet

/// What the calls on a connection's socket do.
extension SimulatedNetwork {
    func receive(_ socket: SimulatedSocket, into bytes: UnsafeMutableRawBufferPointer)
        -> SystemResult
    {
        guard socket.role == .connected else { return .failure(.brokenPipe) }
        guard !socket.inbox.isEmpty else {
            if let error = socket.pendingError {
                socket.pendingError = nil
                return .failure(error)
            }
            return socket.peerHasFinished || socket.isReset ? .success(0) : .failure(.wouldBlock)
        }
        let available = min(socket.inbox.count, bytes.count)
        guard available > 0 else { return .success(0) }
        let count = piece(of: available)
        unsafe socket.inbox.take(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
        socket.receivedCount += count
        note(.receive, socket.number, count)
        // A short call looks as if all had been there was: the rest has to arrive anew.
        if count < available { socket.post() }
        if let peer = socket.peer { startMoving(peer) }
        return .success(count)
    }

    /// Has the closure put bytes on the wire, as many as there is room for.
    func send(
        _ socket: SimulatedSocket, countMax: Int, _ append: (_ countMax: Int) -> SystemResult
    ) -> SystemResult {
        guard socket.role == .connected else { return .failure(.brokenPipe) }
        if let error = socket.pendingError {
            socket.pendingError = nil
            return .failure(error)
        }
        guard !socket.isReset, !socket.hasFinished else { return .failure(.brokenPipe) }
        guard countMax > 0 else { return .success(0) }
        let room = socket.wireMax - socket.wire.count
        guard room > 0 else {
            socket.wantsRoom = true
            return .failure(.wouldBlock)
        }
        let answer = append(piece(of: min(room, countMax)))
        if case .success(let count) = answer { note(.send, socket.number, count) }
        startMoving(socket)
        return answer
    }

    func finishSending(_ socket: SimulatedSocket) {
        guard socket.role == .connected, !socket.isReset, !socket.hasFinished else { return }
        note(.finish, socket.number, 0)
        socket.hasFinished = true
        startMoving(socket)
        socket.post()
    }

    func close(_ socket: SimulatedSocket) {
        note(.close, socket.number, 0)
        takeDescriptor(from: socket)
        switch socket.role {
        case .fresh: break
        case .listening: stopListening(socket)
        case .connected:
            socket.isOrphan = true
            if socket.isReset { return }
            // RFC 1122 §4.2.2.13: closing with unread bytes has to tell that they were lost.
            if socket.resetsOnClose || !socket.inbox.isEmpty {
                cut(socket)
                return
            }
            socket.hasFinished = true
            if socket.isFinishDelivered { socket.peer = nil } else { startMoving(socket) }
        }
    }
}
