/// Bytes that were received and not used yet.
///
/// It holds no memory when it is empty and released.
package struct ReadBuffer: Sendable {
    private var storage: [UInt8] = []
    private var start = 0

    package init() {}

    /// Takes over bytes that were received elsewhere.
    package init(_ bytes: [UInt8]) {
        storage = bytes
    }

    package var count: Int { storage.count - start }
    package var isEmpty: Bool { count == 0 }
    var hasStorage: Bool { storage.capacity > 0 }

    /// Lends the bytes.
    package func withSpan<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        let all = storage.span
        return try body(all.extracting(start..<storage.count))
    }

    /// Copies a range, counted from the first unused byte.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        Array(storage[(start + range.lowerBound)..<(start + range.upperBound)])
    }

    /// Appends a range, counted from the first unused byte, to an array.
    func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: storage[(start + range.lowerBound)..<(start + range.upperBound)])
    }

    /// Drops bytes from the front.
    ///
    /// It traps when there are not that many.
    package mutating func consume(_ count: Int) {
        precondition(count <= self.count)
        start += count
        if start == storage.count {
            storage.removeAll(keepingCapacity: true)
            start = 0
        }
    }

    /// Drops all bytes and keeps the memory.
    package mutating func discard() {
        consume(count)
    }

    /// Takes all bytes out.
    package mutating func takeAll() -> [UInt8] {
        defer { self = ReadBuffer() }
        return start == 0 ? storage : Array(storage[start...])
    }

    /// Lends the memory of an empty buffer, to be swapped for another.
    mutating func lendStorage(_ body: (inout [UInt8]) -> Void) {
        body(&storage)
        start = 0
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start > 0, start >= storage.count / 2 {
            storage.removeSubrange(..<start)
            start = 0
        }
        unsafe storage.append(contentsOf: bytes)
    }
}
