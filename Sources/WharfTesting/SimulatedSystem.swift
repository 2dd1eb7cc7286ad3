package import WharfNet

/// Calls whose sockets and time are simulated.
///
/// They are those of a ``SimulatedNetwork``. Files stay real.
///
/// ``wait(into:timeout:)`` never waits, and tells of one socket at a time, in an order that comes
/// from the seed.
package final class SimulatedSystem: SystemCalls, ReadinessReporting, @unchecked Sendable {
    // @unchecked: used by one thread at a time, as the network is.

    package let network: SimulatedNetwork
    /// Where connections that are made here come from; the port is replaced.
    package var sourceAddress = SocketAddress.loopback(port: 0)
    /// The sockets that something has happened to since they were told of.
    var ready: [SimulatedSocket] = []

    private let live = System.withoutLoop

    init(_ network: SimulatedNetwork) {
        self.network = network
    }

    var hasReadyEvents: Bool { !ready.isEmpty }

    // MARK: Time and readiness

    package func now() -> UInt64 { network.now }

    package func unixTime() -> Int64 { network.unixMilliseconds / 1000 }

    package func unixMilliseconds() -> Int64 { network.unixMilliseconds }

    package func register(_ descriptor: Int32, token: UInt64) throws(Errno) {
        guard let socket = network.open(descriptor) else { throw .badDescriptor }
        socket.watcher = self
        socket.token = token
        socket.isPosted = false
        // Edge-triggered pollers tell of what is there at registration.
        socket.post()
    }

    package func wait(into events: inout [PollEvent], timeout: UInt64?) {
        while !ready.isEmpty {
            ready.swapAt(network.random.below(ready.count), ready.count - 1)
            let socket = ready.removeLast()
            socket.isPosted = false
            guard socket.isOpen, socket.watcher === self, let event = socket.event else { continue }
            network.note(.event, socket.number, event.isReadable ? 1 : 0)
            events.append(event)
            return
        }
    }

    package func wake() {}

    // MARK: Sockets

    package func socket(for address: SocketAddress) -> SystemResult {
        .success(Int(network.giveDescriptor(to: network.makeSocket())))
    }

    package func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32)
        -> SystemResult
    {
        guard let socket = network.open(descriptor) else { return .failure(.badDescriptor) }
        return network.listen(socket, at: address, backlog: backlog)
    }

    package func localAddress(of descriptor: Int32) -> SocketAddress? {
        network.open(descriptor)?.localAddress
    }

    package func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult {
        guard let socket = network.open(descriptor) else { return .failure(.badDescriptor) }
        return network.connect(socket, to: address, from: sourceAddress)
    }

    package func pendingError(of descriptor: Int32) -> Errno? {
        guard let socket = network.open(descriptor) else { return .badDescriptor }
        defer { socket.pendingError = nil }
        return socket.pendingError
    }

    package func accept(_ descriptor: Int32, peer: inout SocketAddress?) -> SystemResult {
        guard let listener = network.open(descriptor) else { return .failure(.badDescriptor) }
        guard let socket = network.accept(listener) else { return .failure(.wouldBlock) }
        peer = socket.remoteAddress
        return .success(Int(network.giveDescriptor(to: socket)))
    }

    package func receive(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer)
        -> SystemResult
    {
        guard let socket = network.open(descriptor) else { return .failure(.badDescriptor) }
        return unsafe network.receive(socket, into: bytes)
    }

    package func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, hasMore: Bool
    ) -> SystemResult {
        guard let socket = network.open(descriptor) else { return .failure(.badDescriptor) }
        return network.send(socket, countMax: bytes.count) { count in
            unsafe socket.wire.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            return .success(count)
        }
    }

    package func sendFile(_ descriptor: Int32, file: Int32, offset: Int64, count: Int)
        -> SystemResult
    {
        guard let socket = network.open(descriptor) else { return .failure(.badDescriptor) }
        return network.send(socket, countMax: count) { countMax in
            unsafe withUnsafeTemporaryAllocation(byteCount: countMax, alignment: 1) { bytes in
                let answer = unsafe live.read(file, into: bytes, at: offset, cachedOnly: false)
                if case .success(let count) = answer {
                    unsafe socket.wire.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                }
                return answer
            }
        }
    }

    package func finishSending(_ descriptor: Int32) {
        if let socket = network.open(descriptor) { network.finishSending(socket) }
    }

    package func resetOnClose(_ descriptor: Int32) {
        network.open(descriptor)?.resetsOnClose = true
    }

    package func close(_ descriptor: Int32) {
        guard network.owns(descriptor) else {
            network.openFileCount -= 1
            live.close(descriptor)
            return
        }
        if let socket = network.open(descriptor) { network.close(socket) }
    }

    // MARK: Files

    package func removeName(_ path: String) { live.removeName(path) }

    // Whether the page cache has something is the machine's affair: here the seed decides.

    package func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        if cachedOnly, network.random.isOne(in: 4) { return .failure(.wouldBlock) }
        return counted(
            live.openBeneath(directory, path, flags: flags, mode: mode, cachedOnly: false))
    }

    private func counted<Value>(_ opened: Result<Value, Errno>) -> Result<Value, Errno> {
        if case .success = opened { network.openFileCount += 1 }
        return opened
    }

    package func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult {
        if cachedOnly, network.random.isOne(in: 4) { return .failure(.wouldBlock) }
        return unsafe live.read(descriptor, into: bytes, at: offset, cachedOnly: false)
    }

    package func open(_ directory: Int32, _ name: [UInt8], flags: Int32, mode: UInt16)
        -> SystemResult
    {
        counted(live.open(directory, name, flags: flags, mode: mode))
    }

    package func status(of descriptor: Int32) -> Result<FileStatus, Errno> {
        live.status(of: descriptor).map(Self.withoutOrigin)
    }

    package func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool)
        -> Result<FileStatus, Errno>
    {
        live.status(directory, name, followsLink: followsLink).map(Self.withoutOrigin)
    }

    /// Numbers and dates of files differ from run to run, and answers tell them: a seed replays
    /// only if they are all alike.
    private static func withoutOrigin(_ status: FileStatus) -> FileStatus {
        var status = status
        status.inode = 0
        status.device = 0
        status.modificationTime = 0
        return status
    }

    package func isRemote(_ descriptor: Int32) -> Bool { false }

    package func openStream(of folder: Int32) -> Result<FolderStream, Errno> {
        counted(live.openStream(of: folder))
    }

    package func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno> {
        live.nextName(of: stream)
    }

    package func close(_ stream: FolderStream) {
        network.openFileCount -= 1
        live.close(stream)
    }

    // MARK: Writing files

    package func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult {
        live.openUnnamed(in: folder, mode: mode)
    }

    package func link(_ descriptor: Int32, in folder: Int32, as name: [UInt8])
        -> SystemResult
    {
        live.link(descriptor, in: folder, as: name)
    }

    package func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) -> SystemResult {
        unsafe live.write(descriptor, bytes, at: offset)
    }

    package func allocate(_ descriptor: Int32, _ range: Range<Int64>) -> SystemResult {
        live.allocate(descriptor, range)
    }

    package func truncate(_ descriptor: Int32, size: Int64) -> SystemResult {
        live.truncate(descriptor, size: size)
    }

    package func lock(_ descriptor: Int32) -> SystemResult { live.lock(descriptor) }

    package func setMode(of descriptor: Int32, _ mode: UInt16) -> SystemResult {
        live.setMode(of: descriptor, mode)
    }

    package func sync(_ descriptor: Int32) -> SystemResult {
        live.sync(descriptor)
    }

    package func rename(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32, replaces: Bool
    ) -> SystemResult {
        live.rename(name, in: folder, to: newName, in: newFolder, replaces: replaces)
    }

    package func makeFolder(_ name: [UInt8], in folder: Int32, mode: UInt16) -> SystemResult {
        live.makeFolder(name, in: folder, mode: mode)
    }

    package func remove(_ name: [UInt8], in folder: Int32, isFolder: Bool)
        -> SystemResult
    {
        live.remove(name, in: folder, isFolder: isFolder)
    }
}
