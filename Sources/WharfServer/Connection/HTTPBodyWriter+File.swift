import WharfNet

extension HTTPBodyWriter {
    private static let windowMax: Int64 = 64 * 1024

    /// Sends a part of a file by way of memory: for bodies that are changed on their way.
    ///
    /// Throws ``WharfNet/Errno`` when the file can't be read, or has become shorter.
    func write(_ span: FileSpan) async throws {
        var offset = span.range.lowerBound
        while offset < span.range.upperBound {
            let end = min(offset + Self.windowMax, span.range.upperBound)
            let bytes = try await read(span, offset..<end)
            guard !bytes.isEmpty else { throw Errno.truncated }
            try await write(bytes)
            offset += Int64(bytes.count)
        }
    }

    /// Reads what is in memory in place, and all else on the pool.
    private func read(_ span: FileSpan, _ window: Range<Int64>) async throws -> [UInt8] {
        switch span.bytes(in: window, cachedOnly: true) {
        case .success(let bytes): return bytes
        case .failure(let error) where error.isWouldBlock:
            return try await sink.pool.run { try span.bytes(in: window, cachedOnly: false).get() }
        case .failure(let error): throw error
        }
    }
}
