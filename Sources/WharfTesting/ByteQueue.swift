/// Bytes on their way through a ``SimulatedNetwork``: appended at one end, taken at the other.
struct ByteQueue {
    private var storage: [UInt8] = []
    private var start = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        unsafe storage.append(contentsOf: bytes)
    }

    /// Moves bytes from the front into memory, as many as it has.
    mutating func take(into bytes: UnsafeMutableRawBufferPointer) {
        let end = start + bytes.count
        unsafe bytes.copyBytes(from: storage[start..<end])
        drop(bytes.count)
    }

    /// Moves so many bytes from the front to the end of another queue.
    mutating func move(_ count: Int, to other: inout ByteQueue) {
        other.storage.append(contentsOf: storage[start..<(start + count)])
        drop(count)
    }

    mutating func removeAll() {
        storage = []
        start = 0
    }

    private mutating func drop(_ count: Int) {
        start += count
        if start == storage.count {
            storage.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 64 * 1024 {
            storage.removeSubrange(..<start)
            start = 0
        }
    }
}
