internal import CZlib

/// Owns a `z_stream`, at an address that never changes: zlib keeps a pointer back to it.
@safe struct ZlibStream: ~Copyable, @unchecked Sendable {
    // Sendable: the pointer is this value's alone, and the value is not copyable.
    enum Direction {
        case deflate, inflate
    }

    let pointer: UnsafeMutablePointer<z_stream>
    private let direction: Direction

    init(_ direction: Direction) {
        self.direction = direction
        unsafe pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe pointer.initialize(to: z_stream())
    }

    deinit {
        // Both are harmless on a stream whose initialisation failed.
        switch direction {
        case .deflate: _ = unsafe deflateEnd(pointer)
        case .inflate: _ = unsafe inflateEnd(pointer)
        }
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }

    func reset() {
        switch direction {
        case .deflate: _ = unsafe deflateReset(pointer)
        case .inflate: _ = unsafe inflateReset(pointer)
        }
    }

    /// One call of zlib, with at most `outputMax` bytes of fresh room at the end of `output`.
    func run(
        _ input: borrowing Span<UInt8>, _ flush: Int32, _ outputMax: Int, _ output: inout [UInt8]
    ) -> (code: Int32, step: CompressionStep) {
        // zlib counts in 32 bits; what is left over is for the next call.
        let inputCount = min(input.count, 1 << 30)
        let room = min(max(outputMax, 1), 1 << 30)
        var code = Z_OK
        var produced = 0
        // zlib does not write to its input. The pointers are used in this call only, and the counts
        // are those of what lies behind them.
        unsafe input.withUnsafeBufferPointer { source in
            output.append(addingCapacity: room) { target in
                unsafe target.withUnsafeMutableBufferPointer { target, initializedCount in
                    unsafe pointer.pointee.next_in = UnsafeMutablePointer(
                        mutating: source.baseAddress)
                    unsafe pointer.pointee.avail_in = UInt32(inputCount)
                    unsafe pointer.pointee.next_out = target.baseAddress
                    unsafe pointer.pointee.avail_out = UInt32(room)
                    code =
                        switch direction {
                        case .deflate: unsafe CZlib.deflate(pointer, flush)
                        case .inflate: unsafe CZlib.inflate(pointer, flush)
                        }
                    unsafe pointer.pointee.next_in = nil
                    unsafe pointer.pointee.next_out = nil
                    produced = unsafe room - Int(pointer.pointee.avail_out)
                    initializedCount = produced
                }
            }
        }
        let consumed = unsafe inputCount - Int(pointer.pointee.avail_in)
        return (
            code,
            CompressionStep(
                consumed: consumed, produced: produced, isComplete: code == Z_STREAM_END)
        )
    }
}
