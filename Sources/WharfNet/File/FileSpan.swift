/// A part of an open file that is to be sent.
///
/// Who sends it on a loop goes window by window: asks ``isCached(_:)``, has the pool run
/// ``warm(_:)`` when it is not, and then sends, so that no disk holds the loop up.
package struct FileSpan: Sendable {
    /// As much as one ``System/sendFile(_:file:offset:count:)`` sends: a fair share of a loop.
    package static let windowSizeMax: Int64 = 512 * 1024

    package let handle: FileHandle
    /// Where it starts and ends in the file, in bytes.
    package let range: Range<Int64>

    /// A whole file, or a range of its bytes.
    package init(_ handle: FileHandle, _ range: Range<Int64>) {
        precondition(range.lowerBound >= 0, "a file has no bytes before its start")
        self.handle = handle
        self.range = range
    }

    /// The window that starts at an offset in the file; empty at the span's end.
    package func window(from offset: Int64) -> Range<Int64> {
        let start = min(max(offset, range.lowerBound), range.upperBound)
        // No overflow: both are within the span.
        return start..<(start + min(Self.windowSizeMax, range.upperBound - start))
    }

    /// True when sending these bytes will not wait for a disk, as far as their ends tell.
    package func isCached(_ window: Range<Int64>) -> Bool {
        guard let last = window.last else { return true }
        return isCached(last) && (window.count == 1 || isCached(window.lowerBound))
    }

    /// Brings these bytes into memory.
    ///
    /// It waits for the disk: for the pool only. An error isn't told: who sends the bytes meets it again.
    package func warm(_ window: Range<Int64>) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { bytes in
            var offset = window.lowerBound
            while offset < window.upperBound {
                let wanted = min(bytes.count, Int(window.upperBound - offset))
                let answer = unsafe read(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]), at: offset,
                    cachedOnly: false)
                guard case .success(let count) = answer, count > 0 else { return }
                offset += Int64(count)
            }
        }
    }

    /// Reads at an offset in the file; see ``FileHandle/read(into:at:cachedOnly:)``.
    package func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int64, cachedOnly: Bool
    ) -> SystemResult {
        unsafe handle.read(into: bytes, at: offset, cachedOnly: cachedOnly)
    }

    /// Copies a window into memory, or as much of it as one read brings: none past the file's end.
    package func bytes(in window: Range<Int64>, cachedOnly: Bool) -> Result<[UInt8], Errno> {
        var bytes = [UInt8](repeating: 0, count: window.count)
        // The pointer is used inside the call only.
        let answer = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(into: $0, at: window.lowerBound, cachedOnly: cachedOnly)
        }
        return answer.map { count in
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    /// All its bytes, which may have to be waited for.
    ///
    /// Throws ``Errno/truncated`` when the file has become shorter.
    package func bytes() throws(Errno) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < range.count {
            let window = (range.lowerBound + Int64(all.count))..<range.upperBound
            let bytes = try bytes(in: window, cachedOnly: false).get()
            guard !bytes.isEmpty else { throw .truncated }
            all += bytes
        }
        return all
    }

    /// Sends the start of a window, through the loop's own system: how many bytes went out.
    ///
    /// Fails with ``Errno/truncated`` when the file has become shorter since its length was
    /// promised: the answer can't be completed, so the connection must end. From a file system that
    /// can't do it the bytes are read first.
    package func send(_ window: Range<Int64>, to socket: Int32, through system: System)
        -> SystemResult
    {
        guard !window.isEmpty else { return .success(0) }
        let answer = system.sendFile(
            socket, file: handle.descriptor, offset: window.lowerBound, count: window.count)
        switch answer {
        case .success(0): return .failure(.truncated)
        case .failure(.invalidArgument), .failure(.noSuchCall), .failure(.notSupported):
            return copy(window, to: socket, through: system)
        case .success, .failure: return answer
        }
    }

    private func copy(_ window: Range<Int64>, to socket: Int32, through system: System)
        -> SystemResult
    {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { bytes in
            let part = unsafe UnsafeMutableRawBufferPointer(
                rebasing: bytes.prefix(Int(clamping: window.count)))
            switch unsafe read(into: part, at: window.lowerBound, cachedOnly: false) {
            case .success(0): return .failure(.truncated)
            case .success(let count):
                let read = unsafe UnsafeRawBufferPointer(rebasing: part[..<count])
                return unsafe system.send(socket, read, hasMore: count < window.count)
            case .failure: return .failure(.unreadable)
            }
        }
    }

    private func isCached(_ offset: Int64) -> Bool {
        var byte: UInt8 = 0
        return unsafe withUnsafeMutableBytes(of: &byte) { bytes in
            // Past the end of a file that was cut there is nothing to wait for.
            if case .success = unsafe read(into: bytes, at: offset, cachedOnly: true) {
                return true
            }
            return false
        }
    }
}
