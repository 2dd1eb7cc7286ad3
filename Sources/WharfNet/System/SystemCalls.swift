/// The calls of ``System``, for those who put something else in their place; each is told there.
///
/// Only WharfTesting has such: a class can't be subclassed in another module of its package, so
/// what stands in for the operating system is a type of this protocol, in a ``ForwardingSystem``.
package protocol SystemCalls: Sendable {
    func now() -> UInt64
    func unixTime() -> Int64
    func unixMilliseconds() -> Int64

    func register(_ descriptor: Int32, token: UInt64) throws(Errno)
    func wait(into events: inout [PollEvent], timeout: UInt64?)
    func wake()

    func socket(for address: SocketAddress) -> SystemResult
    func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32) -> SystemResult
    func localAddress(of descriptor: Int32) -> SocketAddress?
    func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult
    func pendingError(of descriptor: Int32) -> Errno?
    func accept(_ descriptor: Int32, peer: inout SocketAddress?) -> SystemResult
    func receive(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer) -> SystemResult
    func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> SystemResult
    func sendFile(_ descriptor: Int32, file: Int32, offset: Int64, count: Int) -> SystemResult
    func finishSending(_ descriptor: Int32)
    func resetOnClose(_ descriptor: Int32)
    func close(_ descriptor: Int32)

    func removeName(_ path: String)
    func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult
    func open(_ directory: Int32, _ name: [UInt8], flags: Int32, mode: UInt16) -> SystemResult
    func status(of descriptor: Int32) -> Result<FileStatus, Errno>
    func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool) -> Result<FileStatus, Errno>
    func isRemote(_ descriptor: Int32) -> Bool
    func openStream(of folder: Int32) -> Result<FolderStream, Errno>
    func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno>
    func close(_ stream: FolderStream)
    func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult

    func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult
    func link(_ descriptor: Int32, in folder: Int32, as name: [UInt8]) -> SystemResult
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64)
        -> SystemResult
    func allocate(_ descriptor: Int32, _ range: Range<Int64>) -> SystemResult
    func truncate(_ descriptor: Int32, size: Int64) -> SystemResult
    func lock(_ descriptor: Int32) -> SystemResult
    func setMode(of descriptor: Int32, _ mode: UInt16) -> SystemResult
    func sync(_ descriptor: Int32) -> SystemResult
    func rename(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32, replaces: Bool
    ) -> SystemResult
    func makeFolder(_ name: [UInt8], in folder: Int32, mode: UInt16) -> SystemResult
    func remove(_ name: [UInt8], in folder: Int32, isFolder: Bool) -> SystemResult
}

extension System: SystemCalls {}
