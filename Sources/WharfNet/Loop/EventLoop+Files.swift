extension EventLoop {
    /// Appends a part of a file to the array if all of it can be had without waiting for a disk.
    ///
    /// False when not; then nothing was appended, and `prepare`, which may append what goes before,
    /// was not called. For parts that fit the scratch memory.
    package func appendIfCached(
        _ span: FileSpan, to output: inout [UInt8],
        after prepare: (inout [UInt8]) -> Void = { _ in }
    ) -> Bool {
        let count = span.range.count
        guard unsafe count <= scratch.bytes.count else { return false }
        let window = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch.bytes[..<count])
        let answer = unsafe span.read(into: window, at: span.range.lowerBound, cachedOnly: true)
        guard case .success(count) = answer else { return false }
        prepare(&output)
        // Exactly: an array that grows by itself becomes larger than what the loop keeps.
        if output.capacity < output.count + count { output.reserveCapacity(output.count + count) }
        unsafe output.append(contentsOf: window)
        return true
    }
}
