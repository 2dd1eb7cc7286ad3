/// A piece of memory that a loop lends to its sockets, one call at a time.
@safe final class ScratchMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        unsafe bytes = .allocate(byteCount: count, alignment: 64)
    }

    deinit { unsafe bytes.deallocate() }
}
