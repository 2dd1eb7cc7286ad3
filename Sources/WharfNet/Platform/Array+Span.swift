extension [UInt8] {
    /// Appends a span in one block move.
    package mutating func append(contentsOf span: Span<UInt8>) {
        // The pointer does not leave the closure.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
