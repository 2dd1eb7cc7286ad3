/// A piece of memory in which a body is gathered on its way to a disk.
///
/// Data lies in runs, one behind the other: small pieces are moved together, large ones stay where
/// they were received. One thread at a time uses it.
@safe package final class TransferBlock: @unchecked Sendable {
    // @unchecked: it is handed from the loop to one job of the pool and back.

    /// As much as is written in one call.
    package static let size = 256 * 1024
    /// With less room than this it is as good as full: small calls to receive cost too much.
    private static let roomMin = 16 * 1024
    /// What is as long as this costs less to write in a call of its own than to move.
    private static let runMin = 32 * 1024

    private let memory: UnsafeMutableRawBufferPointer
    private var runs: [Range<Int>] = []
    /// What was received behind the runs, and is no data yet.
    private var received = 0..<0

    package init() {
        unsafe memory = .allocate(byteCount: Self.size, alignment: 64)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Bytes of data.
    package var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// Whether it should be written before more is received.
    package var isFull: Bool { unsafe memory.count - end < Self.roomMin }

    private var end: Int { runs.last?.upperBound ?? 0 }

    /// Lends the data, run by run.
    package func forEachRun<E: Error>(_ body: (Span<UInt8>) throws(E) -> Void) throws(E) {
        for run in runs {
            // The memory lives as long as this object, and nobody writes to it meanwhile.
            let data = unsafe UnsafeRawBufferPointer(rebasing: memory[run])
            try body(unsafe Span(_unsafeBytes: data))
        }
    }

    /// Forgets the data.
    package func reset() {
        runs.removeAll(keepingCapacity: true)
        received = 0..<0
    }

    /// Appends data as far as there is room: how many bytes of it.
    package func append(_ bytes: ArraySlice<UInt8>) -> Int {
        let taken = unsafe min(bytes.count, memory.count - end)
        unsafe bytes.withUnsafeBytes { raw in
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...])
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[..<taken]))
        }
        add(end..<(end + taken))
        return taken
    }

    /// Receives behind the data, at most `countMax` bytes.
    func receive(from socket: Socket, countMax: Int) -> ReceiveStep {
        let room = unsafe UnsafeMutableRawBufferPointer(
            rebasing: memory[end..<min(memory.count, end + min(countMax, Self.size))])
        let step = unsafe socket.receive(into: room)
        if case .bytes(let count) = step { received = end..<(end + count) }
        return step
    }

    /// Takes all that was received as data: how many bytes.
    package func takeReceived() -> Int {
        defer { received = 0..<0 }
        add(received)
        return received.count
    }

    /// Decodes what was received in place: the closure is lent it, and says how much of it is dealt
    /// with and where in it there is data.
    ///
    /// It is called until everything is dealt with, or it deals with nothing. Returns what it left.
    package func decode<E: Error>(
        _ step: (Span<UInt8>) throws(E) -> (consumed: Int, data: Range<Int>)
    ) throws(E) -> [UInt8] {
        defer { received = 0..<0 }
        while !received.isEmpty {
            let raw = unsafe UnsafeRawBufferPointer(rebasing: memory[received])
            let (consumed, data) = try step(unsafe Span(_unsafeBytes: raw))
            if consumed == 0 { break }
            let start = received.lowerBound + data.lowerBound
            keep(start..<(start + data.count))
            received = (received.lowerBound + consumed)..<received.upperBound
        }
        return unsafe Array(memory[received])
    }

    /// Makes a part of what was received a run, or moves it to the end of the last one.
    private func keep(_ data: Range<Int>) {
        guard data.lowerBound != end, data.count < Self.runMin else { return add(data) }
        let part = unsafe UnsafeRawBufferPointer(rebasing: memory[data])
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...])
        unsafe room.copyMemory(from: part)
        add(end..<(end + data.count))
    }

    private func add(_ data: Range<Int>) {
        guard !data.isEmpty else { return }
        if let last = runs.last, last.upperBound == data.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<data.upperBound
        } else {
            runs.append(data)
        }
    }
}
