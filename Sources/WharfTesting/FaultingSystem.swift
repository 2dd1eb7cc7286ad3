import Synchronization
package import WharfNet

/// Calls that go wrong where a ``FaultPlan`` says so; the others are left to something else.
package final class FaultingSystem: SystemCalls, ReadinessReporting {
    private struct Watch {
        var tokens: [Int32: UInt64] = [:]
        /// Readiness that a call has denied, to be told again.
        var again: [PollEvent] = []
    }

    private let base: any SystemCalls
    private let plan: FaultPlan
    private let watch = Mutex(Watch())

    /// Stands before a ``System`` or a ``SimulatedSystem``.
    package init(_ base: any SystemCalls, plan: FaultPlan) {
        self.base = base
        self.plan = plan
    }

    /// Decides about a call that moves no bytes.
    private func attempt<Value>(
        _ call: SystemCall, _ body: () -> Result<Value, Errno>
    ) -> Result<Value, Errno> {
        switch plan.next(call) {
        case .error(let error): .failure(error)
        case .wouldBlock: .failure(.wouldBlock)
        case .short, nil: body()
        }
    }

    /// Decides about a call that moves bytes of a socket; the closure is told how many at most.
    private func move(
        _ call: SystemCall, _ descriptor: Int32, _ body: (_ countMax: Int) -> SystemResult
    ) -> SystemResult {
        switch plan.next(call) {
        case nil: return body(.max)
        case .error(let error): return .failure(error)
        case .wouldBlock:
            tellAgain(descriptor, call)
            return .failure(.wouldBlock)
        case .short(let count):
            // Edge-triggered pollers let a short call count as the last one: tell of the rest.
            tellAgain(descriptor, call)
            return body(max(1, count))
        }
    }

    private func tellAgain(_ descriptor: Int32, _ call: SystemCall) {
        let isReading = call == .receive || call == .accept
        watch.withLock { watch in
            guard let token = watch.tokens[descriptor] else { return }
            watch.again.append(
                PollEvent(token: token, isReadable: isReading, isWritable: !isReading))
        }
    }

    var hasReadyEvents: Bool {
        watch.withLock { !$0.again.isEmpty }
            || (base as? any ReadinessReporting)?.hasReadyEvents ?? false
    }

    // MARK: Time and readiness

    package func now() -> UInt64 { base.now() }

    package func unixTime() -> Int64 { base.unixTime() }

    package func unixMilliseconds() -> Int64 { base.unixMilliseconds() }

    package func register(_ descriptor: Int32, token: UInt64) throws(Errno) {
        try attempt(.register) { () -> Result<Void, Errno> in
            do throws(Errno) {
                return .success(try base.register(descriptor, token: token))
            } catch {
                return .failure(error)
            }
        }.get()
        watch.withLock { $0.tokens[descriptor] = token }
    }

    package func wait(into events: inout [PollEvent], timeout: UInt64?) {
        let again = watch.withLock { watch in
            defer { watch.again = [] }
            return watch.again
        }
        base.wait(into: &events, timeout: again.isEmpty ? timeout : 0)
        events += again
    }

    package func wake() { base.wake() }

    // MARK: Sockets

    package func socket(for address: SocketAddress) -> SystemResult {
        attempt(.socket) { base.socket(for: address) }
    }

    package func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32)
        -> SystemResult
    {
        attempt(.listen) { base.listen(descriptor, at: address, backlog: backlog) }
    }

    package func localAddress(of descriptor: Int32) -> SocketAddress? {
        base.localAddress(of: descriptor)
    }

    package func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult {
        attempt(.connect) { base.connect(descriptor, to: address) }
    }

    package func pendingError(of descriptor: Int32) -> Errno? {
        base.pendingError(of: descriptor)
    }

    package func accept(_ descriptor: Int32, peer: inout SocketAddress?) -> SystemResult {
        move(.accept, descriptor) { _ in base.accept(descriptor, peer: &peer) }
    }

    package func receive(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer)
        -> SystemResult
    {
        move(.receive, descriptor) { countMax in
            let window = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(countMax))
            return unsafe base.receive(descriptor, into: window)
        }
    }

    package func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, hasMore: Bool
    ) -> SystemResult {
        move(.send, descriptor) { countMax in
            let window = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(countMax))
            return unsafe base.send(descriptor, window, hasMore: hasMore)
        }
    }

    package func sendFile(_ descriptor: Int32, file: Int32, offset: Int64, count: Int)
        -> SystemResult
    {
        move(.sendFile, descriptor) { countMax in
            base.sendFile(descriptor, file: file, offset: offset, count: min(count, countMax))
        }
    }

    package func finishSending(_ descriptor: Int32) { base.finishSending(descriptor) }

    package func resetOnClose(_ descriptor: Int32) { base.resetOnClose(descriptor) }

    package func close(_ descriptor: Int32) {
        watch.withLock { $0.tokens[descriptor] = nil }
        base.close(descriptor)
    }

    // MARK: Files

    package func removeName(_ path: String) { base.removeName(path) }

    package func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        attempt(.openBeneath) {
            base.openBeneath(directory, path, flags: flags, mode: mode, cachedOnly: cachedOnly)
        }
    }

    package func open(_ directory: Int32, _ name: [UInt8], flags: Int32, mode: UInt16)
        -> SystemResult
    {
        attempt(.open) { base.open(directory, name, flags: flags, mode: mode) }
    }

    package func status(of descriptor: Int32) -> Result<FileStatus, Errno> {
        attempt(.status) { base.status(of: descriptor) }
    }

    package func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool)
        -> Result<FileStatus, Errno>
    {
        attempt(.status) { base.status(directory, name, followsLink: followsLink) }
    }

    package func isRemote(_ descriptor: Int32) -> Bool { base.isRemote(descriptor) }

    package func openStream(of folder: Int32) -> Result<FolderStream, Errno> {
        attempt(.openStream) { base.openStream(of: folder) }
    }

    package func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno> {
        attempt(.nextName) { base.nextName(of: stream) }
    }

    package func close(_ stream: FolderStream) { base.close(stream) }

    package func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult {
        switch plan.next(.read) {
        case .error(let error): return .failure(error)
        case .wouldBlock where cachedOnly: return .failure(.wouldBlock)
        case .short(let count):
            let window = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(max(1, count)))
            return unsafe base.read(
                descriptor, into: window, at: offset, cachedOnly: cachedOnly)
        // Who may wait for the disk is not told to come again.
        case .wouldBlock, nil:
            return unsafe base.read(descriptor, into: bytes, at: offset, cachedOnly: cachedOnly)
        }
    }

    // MARK: Writing files

    package func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult {
        attempt(.openUnnamed) { base.openUnnamed(in: folder, mode: mode) }
    }

    package func link(_ descriptor: Int32, in folder: Int32, as name: [UInt8])
        -> SystemResult
    {
        attempt(.link) { base.link(descriptor, in: folder, as: name) }
    }

    package func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) -> SystemResult {
        switch plan.next(.write) {
        case .error(let error): return .failure(error)
        case .short(let count):
            let window = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, count)))
            return unsafe base.write(descriptor, window, at: offset)
        // Files are never full for a moment only.
        case .wouldBlock, nil: return unsafe base.write(descriptor, bytes, at: offset)
        }
    }

    package func allocate(_ descriptor: Int32, _ range: Range<Int64>) -> SystemResult {
        attempt(.allocate) { base.allocate(descriptor, range) }
    }

    package func truncate(_ descriptor: Int32, size: Int64) -> SystemResult {
        attempt(.truncate) { base.truncate(descriptor, size: size) }
    }

    package func lock(_ descriptor: Int32) -> SystemResult {
        attempt(.lock) { base.lock(descriptor) }
    }

    package func setMode(of descriptor: Int32, _ mode: UInt16) -> SystemResult {
        attempt(.setMode) { base.setMode(of: descriptor, mode) }
    }

    package func sync(_ descriptor: Int32) -> SystemResult {
        attempt(.sync) { base.sync(descriptor) }
    }

    package func rename(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32, replaces: Bool
    ) -> SystemResult {
        attempt(.rename) {
            base.rename(name, in: folder, to: newName, in: newFolder, replaces: replaces)
        }
    }

    package func makeFolder(_ name: [UInt8], in folder: Int32, mode: UInt16) -> SystemResult {
        attempt(.makeFolder) { base.makeFolder(name, in: folder, mode: mode) }
    }

    package func remove(_ name: [UInt8], in folder: Int32, isFolder: Bool)
        -> SystemResult
    {
        attempt(.remove) { base.remove(name, in: folder, isFolder: isFolder) }
    }
}

/// A system that can say whether waiting would bring something at once.
protocol ReadinessReporting {
    var hasReadyEvents: Bool { get }
}
