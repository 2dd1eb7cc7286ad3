/// A system that leaves all calls to something else.
package final class ForwardingSystem: System, @unchecked Sendable {
    // @unchecked: as its superclass; the one property is Sendable.

    private let calls: any SystemCalls

    package init(_ calls: any SystemCalls) {
        self.calls = calls
        super.init(poller: nil)
    }

    package override func now() -> UInt64 { calls.now() }

    package override func unixTime() -> Int64 { calls.unixTime() }

    package override func unixMilliseconds() -> Int64 { calls.unixMilliseconds() }

    package override func register(_ descriptor: Int32, token: UInt64) throws(Errno) {
        try calls.register(descriptor, token: token)
    }

    package override func wait(into events: inout [PollEvent], timeout: UInt64?) {
        calls.wait(into: &events, timeout: timeout)
    }

    package override func wake() { calls.wake() }

    // MARK: Sockets

    package override func socket(for address: SocketAddress) -> SystemResult {
        calls.socket(for: address)
    }

    package override func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32)
        -> SystemResult
    {
        calls.listen(descriptor, at: address, backlog: backlog)
    }

    package override func localAddress(of descriptor: Int32) -> SocketAddress? {
        calls.localAddress(of: descriptor)
    }

    package override func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult {
        calls.connect(descriptor, to: address)
    }

    package override func pendingError(of descriptor: Int32) -> Errno? {
        calls.pendingError(of: descriptor)
    }

    package override func accept(_ descriptor: Int32, peer: inout SocketAddress?) -> SystemResult {
        calls.accept(descriptor, peer: &peer)
    }

    package override func receive(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer)
        -> SystemResult
    {
        unsafe calls.receive(descriptor, into: bytes)
    }

    package override func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, hasMore: Bool
    ) -> SystemResult {
        unsafe calls.send(descriptor, bytes, hasMore: hasMore)
    }

    package override func sendFile(_ descriptor: Int32, file: Int32, offset: Int64, count: Int)
        -> SystemResult
    {
        calls.sendFile(descriptor, file: file, offset: offset, count: count)
    }

    package override func finishSending(_ descriptor: Int32) { calls.finishSending(descriptor) }

    package override func resetOnClose(_ descriptor: Int32) { calls.resetOnClose(descriptor) }

    package override func close(_ descriptor: Int32) { calls.close(descriptor) }

    // MARK: Files

    package override func removeName(_ path: String) { calls.removeName(path) }

    package override func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        calls.openBeneath(directory, path, flags: flags, mode: mode, cachedOnly: cachedOnly)
    }

    package override func open(_ directory: Int32, _ name: [UInt8], flags: Int32, mode: UInt16)
        -> SystemResult
    {
        calls.open(directory, name, flags: flags, mode: mode)
    }

    package override func status(of descriptor: Int32) -> Result<FileStatus, Errno> {
        calls.status(of: descriptor)
    }

    package override func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool)
        -> Result<FileStatus, Errno>
    {
        calls.status(directory, name, followsLink: followsLink)
    }

    package override func isRemote(_ descriptor: Int32) -> Bool { calls.isRemote(descriptor) }

    package override func openStream(of folder: Int32) -> Result<FolderStream, Errno> {
        calls.openStream(of: folder)
    }

    package override func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno> {
        calls.nextName(of: stream)
    }

    package override func close(_ stream: FolderStream) { calls.close(stream) }

    package override func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult {
        unsafe calls.read(descriptor, into: bytes, at: offset, cachedOnly: cachedOnly)
    }

    // MARK: Writing files

    package override func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult {
        calls.openUnnamed(in: folder, mode: mode)
    }

    package override func link(_ descriptor: Int32, in folder: Int32, as name: [UInt8])
        -> SystemResult
    {
        calls.link(descriptor, in: folder, as: name)
    }

    package override func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) -> SystemResult {
        unsafe calls.write(descriptor, bytes, at: offset)
    }

    package override func allocate(_ descriptor: Int32, _ range: Range<Int64>) -> SystemResult {
        calls.allocate(descriptor, range)
    }

    package override func truncate(_ descriptor: Int32, size: Int64) -> SystemResult {
        calls.truncate(descriptor, size: size)
    }

    package override func lock(_ descriptor: Int32) -> SystemResult { calls.lock(descriptor) }

    package override func setMode(of descriptor: Int32, _ mode: UInt16) -> SystemResult {
        calls.setMode(of: descriptor, mode)
    }

    package override func sync(_ descriptor: Int32) -> SystemResult {
        calls.sync(descriptor)
    }

    package override func rename(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32, replaces: Bool
    ) -> SystemResult {
        calls.rename(name, in: folder, to: newName, in: newFolder, replaces: replaces)
    }

    package override func makeFolder(_ name: [UInt8], in folder: Int32, mode: UInt16)
        -> SystemResult
    {
        calls.makeFolder(name, in: folder, mode: mode)
    }

    package override func remove(_ name: [UInt8], in folder: Int32, isFolder: Bool)
        -> SystemResult
    {
        calls.remove(name, in: folder, isFolder: isFolder)
    }
}
