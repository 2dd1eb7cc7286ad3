/// A piece of memory in which a body is gathered on its way to a disk.
///
/// Data lies at its front. Behind it there may be bytes that were received and not decoded yet.
/// One thread at a time uses it.
@safe package final class TransferBlock: @unchecked Sendable {
    // @unchecked: it is handed from the loop to one job of the pool and back.

    /// As much as is written in one call.
    package static let size = 256 * 1024
    /// With less room than this it is as good as full: small calls to receive cost too much.
    private static let roomMin = 16 * 1024

    private let memory: UnsafeMutableRawBufferPointer
    /// Bytes of data.
    package private(set) var count = 0
    private var received = 0..<0

    package init() {
        unsafe memory = .allocate(byteCount: Self.size, alignment: 64)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Whether it should be written before more is received.
    package var isFull: Bool { unsafe memory.count - count < Self.roomMin }

    /// Lends the data.
    package func withData<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        // The memory lives as long as this object, and nobody writes to it meanwhile.
        let data = unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
        return try body(unsafe Span(_unsafeBytes: data))
    }

    /// Forgets the data.
    package func reset() {
        count = 0
        received = 0..<0
    }

    /// Appends data as far as there is room: how many bytes of it.
    package func append(_ bytes: ArraySlice<UInt8>) -> Int {
        let taken = unsafe min(bytes.count, memory.count - count)
        unsafe bytes.withUnsafeBytes { raw in
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[..<taken]))
        }
        count += taken
        return taken
    }

    /// Receives behind the data, at most `countMax` bytes.
    func receive(from socket: Socket, countMax: Int) -> ReceiveStep {
        let room = unsafe UnsafeMutableRawBufferPointer(
            rebasing: memory[count..<min(memory.count, count + countMax)])
        let step = unsafe socket.receive(into: room)
        if case .bytes(let receivedCount) = step { received = count..<(count + receivedCount) }
        return step
    }

    /// Takes all that was received as data.
    package func takeReceived() -> Int {
        let taken = received.count
        count += taken
        received = count..<count
        return taken
    }

    /// Decodes what was received in place: the closure is lent it, and says how much of it is dealt
    /// with and where in it there is data.
    ///
    /// It is called until everything is dealt with, or it deals with nothing. Returns what it left.
    package func decode<E: Error>(
        _ step: (Span<UInt8>) throws(E) -> (consumed: Int, data: Range<Int>)
    ) throws(E) -> [UInt8] {
        while !received.isEmpty {
            let raw = unsafe UnsafeRawBufferPointer(rebasing: memory[received])
            let (consumed, data) = try step(unsafe Span(_unsafeBytes: raw))
            if consumed == 0 { break }
            if !data.isEmpty { keep(data) }
            received = (received.lowerBound + consumed)..<received.upperBound
        }
        defer { received = count..<count }
        return unsafe Array(memory[received])
    }

    /// Moves a part of what was received to the end of the data.
    private func keep(_ data: Range<Int>) {
        let start = received.lowerBound + data.lowerBound
        if start != count {
            let part = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<(start + data.count)])
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            unsafe room.copyMemory(from: part)
        }
        count += data.count
    }
}
