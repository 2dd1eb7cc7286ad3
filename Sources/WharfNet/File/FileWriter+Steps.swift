#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The steps of writing and placing a file, under the writer's lock.
extension FileWriter {
    func append(_ bytes: Span<UInt8>, _ state: inout State) throws(Errno) {
        if let error = state.error { throw error }
        guard let part = state.part else { throw .badDescriptor }
        reserveAhead(Int64(bytes.count), &state)
        do throws(Errno) {
            try unsafe bytes.withUnsafeBytes { raw throws(Errno) in
                try unsafe append(raw, to: part, at: state.byteCount)
            }
        } catch {
            state.error = error
            throw error
        }
        state.byteCount += Int64(bytes.count)
    }

    /// Reserves room for what is likely to follow, as much again as there is, within bounds.
    ///
    /// It costs less than to find room piece by piece; and ext4 writes a file that replaces another
    /// to the disk at once unless its room was reserved, which takes as long as the upload.
    private func reserveAhead(_ count: Int64, _ state: inout State) {
        let end = state.byteCount + count
        guard let reservedEnd = state.reservedEnd, end > reservedEnd, end > Self.aheadMin,
            let part = state.part
        else { return }
        let wanted = end + min(end, Self.aheadMax)
        // Where that can't be, the file may fit all the same.
        if case .success = system.allocate(part.descriptor, state.byteCount..<wanted) {
            state.reservedEnd = wanted
        } else {
            // ext4 takes what there is before it says that it is not enough.
            _ = system.truncate(part.descriptor, size: state.byteCount)
            state.reservedEnd = nil
        }
    }

    /// Whether room can be reserved behind what is reserved already, and given back.
    static var canReserveAhead: Bool {
        #if os(Linux)
            true
        #else
            // `F_PREALLOCATE` counts from the end of what is reserved.
            false
        #endif
    }

    /// Bytes; see ``reserveAhead(_:_:)``.
    private static var aheadMin: Int64 { 1 << 20 }
    private static var aheadMax: Int64 { 64 << 20 }

    private func append(_ bytes: UnsafeRawBufferPointer, to part: PartFile, at offset: Int64)
        throws(Errno)
    {
        let (end, overflow) = offset.addingReportingOverflow(Int64(bytes.count))
        guard !overflow, end <= length ?? .max else { throw .truncated }
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = try unsafe system.write(part.descriptor, rest, at: offset + Int64(done))
                .get()
            // A disk that takes nothing and says no reason would hold us here for ever.
            guard count > 0 else { throw .unreadable }
            done += count
        }
    }

    func finish(
        _ state: inout State, at place: NamePlace, replaces: Bool, syncs: Bool
    ) throws(Errno) -> Placed {
        if let error = state.error { throw error }
        guard let part = state.part else { throw .badDescriptor }
        guard state.byteCount == length ?? state.byteCount else { throw .truncated }
        if let reservedEnd = state.reservedEnd, reservedEnd > state.byteCount {
            _ = try system.truncate(part.descriptor, size: state.byteCount).get()
        }
        let existing = try place.status().get()
        if let existing { try Self.check(existing, replaces: replaces) }
        let replaced = existing.flatMap { $0.kind == .file ? $0.permissions : nil }
        if replaced != nil || part.name != nil {
            let permissions = replaced ?? 0o666 & ~ProcessSettings.creationMask
            _ = try system.setMode(of: part.descriptor, permissions).get()
        }
        if syncs { _ = try system.sync(part.descriptor).get() }
        var isNew = existing == nil
        do throws(Errno) {
            if isNew {
                try state.part?.link(at: place)
            } else {
                try state.part?.replace(at: place)
            }
        } catch .exists where isNew && replaces {
            // Somebody has made one at the same time.
            isNew = false
            try state.part?.replace(at: place)
        }
        if syncs { _ = try place.syncFolder().get() }
        let status = try system.status(of: part.descriptor).get()
        state.part?.close()
        state.part = nil
        return Placed(status: status, isNew: isNew)
    }

    private static func check(_ existing: FileStatus, replaces: Bool) throws(Errno) {
        switch existing.kind {
        case .folder: throw .isDirectory
        case .other: throw .accessDenied
        case .file, .symbolicLink: if !replaces { throw .exists }
        }
    }

    /// Places a copy in a folder of another file system.
    func copy(
        _ state: inout State, to place: NamePlace, replaces: Bool, syncs: Bool,
        _ modificationTime: Int64?
    ) throws(Errno) -> Placed {
        guard let part = state.part else { throw .badDescriptor }
        let writer = try FileWriter(in: place.folder, length: state.byteCount)
        let source = FileSource(descriptor: part.descriptor, system: system)
        try source.copy(to: writer)
        let placed = try writer.place(
            at: place, replaces: replaces, syncs: syncs, modificationTime: modificationTime)
        state.part?.close()
        state.part = nil
        return placed
    }

    static func path(of descriptor: Int32) -> String? {
        #if os(Linux)
            return "/proc/self/fd/\(descriptor)"
        #else
            var path = [CChar](repeating: 0, count: Int(MAXPATHLEN))
            guard unsafe fcntl(descriptor, F_GETPATH, &path) == 0 else { return nil }
            let end = path.firstIndex(of: 0) ?? path.count
            return String(decoding: path[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
        #endif
    }
}

/// An open file whose content is copied.
struct FileSource {
    let descriptor: Int32
    let system: System

    private static let blockSize = 256 * 1024

    /// Appends all of it to what is being written, or what is there from an offset on.
    ///
    /// It waits for the disk: for the pool only.
    func copy(
        to writer: FileWriter, from start: Int64 = 0, countMax: Int64 = .max
    ) throws(Errno) {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        var done: Int64 = 0
        while done < countMax {
            // The pointer is used inside the call only.
            let answer = unsafe block.withUnsafeMutableBytes {
                unsafe system.read(descriptor, into: $0, at: start + done, cachedOnly: false)
            }
            let count = Int(clamping: min(Int64(try answer.get()), countMax - done))
            if count == 0 { return }
            try writer.write(block.span.extracting(..<count))
            done += Int64(count)
        }
    }
}
