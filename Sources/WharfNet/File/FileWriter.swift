/// Writes one file, and gives it its name when it is complete.
///
///     let writer = try FileWriter(in: place.folder, length: length)
///     try writer.write(bytes)
///     let placed = try writer.place(at: place, replaces: true)
///
/// Until then nobody sees anything of it, and what was there before stays as it was. After any
/// failure, or without ``place(at:replaces:syncs:)``, nothing is left of it; a killed process
/// leaves at most a file of a ``PartName``, which the next ``RootedDirectory/sweep()`` removes.
///
/// All calls wait for the disk: for the pool only. One task uses it at a time. Whoever gives it up
/// calls ``discard()`` on the pool, since what it frees takes the disk its time; if nobody did,
/// the last reference does.
package final class FileWriter: Sendable {
    /// What became of a file that was placed.
    package struct Placed: Sendable, Hashable {
        package let status: FileStatus
        /// Whether nothing had its name before.
        package let isNew: Bool
    }

    struct State {
        var part: PartFile?
        var byteCount: Int64 = 0
        /// Up to where room has been reserved, of a file whose length nobody knows; `nil`: no more
        /// is to be.
        var reservedEnd: Int64? = 0
        /// An error is final: what follows a gap must not be written.
        var error: Errno?
        /// It stays when nobody has placed or discarded it.
        var isHeld = false
    }

    /// The length that was announced, in bytes.
    package let length: Int64?

    let system: System
    let state: Locked<State>

    /// Files up to this many bytes are written in one call, which tells as early that there is no
    /// room.
    private static let allocatedMin: Int64 = 256 * 1024

    /// Begins a file in a folder, the one where it is to be placed if that is known.
    ///
    /// With a `length` the room for it is reserved where the file system can do that, so that a
    /// full disk is `ENOSPC` here, and a file of another length can't be placed.
    package init(in folder: FileHandle, length: Int64? = nil) throws(Errno) {
        self.length = length
        system = folder.system
        var part = try PartFile(in: folder)
        if let length, let error = Self.reserve(0..<max(0, length), for: part) {
            part.close()
            throw error
        }
        state = Locked(
            State(part: part, reservedEnd: length == nil && Self.canReserveAhead ? 0 : nil))
    }

    /// Goes on with a file that may outlive its process; see ``hold(in:)``.
    init(holding part: PartFile, byteCount: Int64) {
        length = nil
        system = part.folder.system
        state = Locked(
            State(
                part: part, byteCount: byteCount, reservedEnd: Self.canReserveAhead ? 0 : nil,
                isHeld: true))
    }

    /// Reserves room for a file of so many bytes, of which it may have some already, and get more or
    /// fewer.
    ///
    /// Throws when there is not that much.
    package func reserve(_ size: Int64) throws(Errno) {
        let error = state.withLock { state -> Errno? in
            guard let part = state.part, size > state.byteCount else { return nil }
            state.reservedEnd = state.reservedEnd.map { max($0, size) }
            return Self.reserve(state.byteCount..<size, for: part)
        }
        if let error { throw error }
    }

    /// What can't reserve room may well be able to write.
    private static func reserve(_ range: Range<Int64>, for part: PartFile) -> Errno? {
        guard range.count > allocatedMin else { return nil }
        let system = part.folder.system
        // ext4 takes all that there is before it says that it is not enough.
        if case .success(let space) = system.space(of: part.descriptor),
            space.availableByteCount > 0, space.availableByteCount < range.count
        {
            return .diskFull
        }
        guard case .failure(let error) = system.allocate(part.descriptor, range),
            error == .diskFull || error == .quotaExceeded || error == .fileTooLarge
        else { return nil }
        return error
    }

    deinit {
        state.withLock { $0.isHeld } ? suspend() : discard()
    }

    /// Bytes that were written.
    package var byteCount: Int64 { state.withLock { $0.byteCount } }

    /// A path under which this process can read the file as long as it is neither placed nor
    /// discarded.
    package var temporaryPath: String? {
        state.withLock { state in
            state.part.flatMap { Self.path(of: $0.descriptor) }
        }
    }

    /// Appends bytes: all of them, or it throws.
    package func write(_ bytes: Span<UInt8>) throws(Errno) {
        try state.withLock { state in
            Result { () throws(Errno) in try append(bytes, &state) }
        }.get()
    }

    /// Leaves out so many bytes, which read as zeros; something has to be written behind them.
    package func skip(_ count: Int64) throws(Errno) {
        let isTooMuch = state.withLock { state in
            let (end, overflow) = state.byteCount.addingReportingOverflow(max(0, count))
            if !overflow { state.byteCount = end }
            return overflow
        }
        if isTooMuch { throw .fileTooLarge }
    }

    /// Appends a part of another file, from an offset on: up to so many bytes, or what there is.
    package func append(_ file: FileHandle, from start: Int64, countMax: Int64) throws(Errno) {
        let source = FileSource(descriptor: file.descriptor, system: system)
        try source.copy(to: self, from: start, countMax: countMax)
    }

    /// Reads back what was written: 0 at the end.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> SystemResult {
        state.withLock { state in
            guard let part = state.part else { return .failure(.badDescriptor) }
            return unsafe system.read(part.descriptor, into: bytes, at: offset, cachedOnly: false)
        }
    }

    /// Lends the closure what was written, block by block; throws what it throws, or the disk.
    package func forEachBlock(_ body: (Span<UInt8>) throws -> Void) throws {
        var block = [UInt8](repeating: 0, count: TransferBlock.size)
        var offset: Int64 = 0
        while offset < byteCount {
            // The pointer is used inside the call only.
            let answer = unsafe block.withUnsafeMutableBytes { unsafe read(into: $0, at: offset) }
            let count = try answer.get()
            guard count > 0 else { throw Errno.truncated }
            try body(block.span.extracting(..<count))
            offset += Int64(count)
        }
    }

    /// Gives the file its name, with the permissions of the file that it replaces.
    ///
    /// A new file may be read and written as the process's umask has it. `replaces`: whether it
    /// takes the place of a file or symbolic link; else `EEXIST` says that something is there. A
    /// folder is `EISDIR`, a device or pipe `EACCES`. `syncs`: whether to wait until the disk has
    /// the content and the name. In a folder of another file system it is copied. Bytes that are
    /// missing, or too many, are `ENODATA`.
    /// `modificationTime`: when it was changed last, in nanoseconds since 1970, if not now.
    package func place(
        at place: NamePlace, replaces: Bool, syncs: Bool = false, modificationTime: Int64? = nil
    ) throws(Errno) -> Placed {
        try state.withLock { state in
            Result { () throws(Errno) in
                if let modificationTime, let part = state.part {
                    _ = try system.setModificationTime(of: part.descriptor, to: modificationTime)
                        .get()
                }
                do throws(Errno) {
                    return try finish(&state, at: place, replaces: replaces, syncs: syncs)
                } catch .crossDevice {
                    return try copy(
                        &state, to: place, replaces: replaces, syncs: syncs, modificationTime)
                }
            }
        }.get()
    }

    /// Gives up: nothing is left of the file, unless it was placed.
    package func discard() {
        state.withLock { state in
            state.part?.close()
            state.part = nil
        }
    }
}
