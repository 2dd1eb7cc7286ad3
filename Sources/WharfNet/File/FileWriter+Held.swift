/// Files that are written by several requests, and perhaps several processes.
extension FileWriter {
    /// Begins a file whose bytes are kept until it is placed or discarded, and the name by which it
    /// is found again in the folder.
    package static func hold(in folder: FileHandle) throws(Errno) -> (FileWriter, name: [UInt8]) {
        let part = try PartFile(heldIn: folder)
        return (FileWriter(holding: part, byteCount: 0), part.name ?? [])
    }

    /// Goes on with a file that was begun so, behind the bytes that it has.
    ///
    /// Of more than `byteCountMax` the rest is cut off. `EAGAIN` while somebody else writes it,
    /// `ENOENT` when it is gone.
    package static func resume(
        _ name: [UInt8], in folder: FileHandle, byteCountMax: Int64 = .max
    ) throws(Errno) -> FileWriter {
        var part = try PartFile(resuming: name, in: folder)
        do throws(Errno) {
            let size = try folder.system.status(of: part.descriptor).get().size
            let writer = FileWriter(holding: part, byteCount: min(size, byteCountMax))
            if size > byteCountMax { try writer.truncate(to: byteCountMax) }
            return writer
        } catch {
            part.suspend()
            throw error
        }
    }

    /// Takes back what was written last, with an error that it may have ended in.
    package func truncate(to byteCount: Int64) throws(Errno) {
        let error = state.withLock { state -> Errno? in
            guard let part = state.part else { return .badDescriptor }
            if case .failure(let error) = system.truncate(part.descriptor, size: byteCount) {
                return error
            }
            state.byteCount = min(state.byteCount, byteCount)
            state.error = nil
            state.reservedEnd = state.reservedEnd.map { _ in 0 }
            return nil
        }
        if let error { throw error }
    }

    /// What the file system says of the file that is written.
    package func status() throws(Errno) -> FileStatus {
        let answer = state.withLock { state in
            state.part.map { system.status(of: $0.descriptor) } ?? .failure(.badDescriptor)
        }
        return try answer.get()
    }

    /// Waits until the disk has what was written.
    package func sync() throws(Errno) {
        let answer = state.withLock { state in
            state.part.map { system.sync($0.descriptor) } ?? .failure(.badDescriptor)
        }
        _ = try answer.get()
    }

    /// Closes the file and leaves what was written for the next ``resume(_:in:byteCountMax:)``.
    package func suspend() {
        state.withLock { state in
            guard let part = state.part else { return }
            // Gives back the room that was reserved, and what a failed call may have written.
            if state.error != nil || state.reservedEnd.map({ $0 > state.byteCount }) ?? true {
                _ = system.truncate(part.descriptor, size: state.byteCount)
            }
            state.part?.suspend()
            state.part = nil
        }
    }
}

/// Where they lie.
extension RootedDirectory {
    /// Begins a file in a folder below the root; see ``FileWriter/hold(in:)``.
    package func holdPart(in path: [UInt8]) throws(Errno) -> (FileWriter, name: [UInt8]) {
        try FileWriter.hold(in: folder(path).get())
    }

    /// Goes on with one; see ``FileWriter/resume(_:in:byteCountMax:)``.
    package func resumePart(
        _ name: [UInt8], in path: [UInt8], byteCountMax: Int64 = .max
    ) throws(Errno) -> FileWriter {
        try FileWriter.resume(name, in: folder(path).get(), byteCountMax: byteCountMax)
    }

    /// How many bytes one has; `ENOENT` when it is gone.
    package func partSize(_ name: [UInt8], in path: [UInt8]) -> Result<Int64, Errno> {
        folder(path).flatMap { folder in
            system.status(folder.descriptor, name, followsLink: false).map(\.size)
        }
    }

    /// Removes one that nobody writes.
    package func removePart(_ name: [UInt8], in path: [UInt8]) -> SystemResult {
        folder(path).flatMap { system.remove(name, in: $0.descriptor, isFolder: false) }
    }

    /// Whether a folder is there, below the root.
    package func hasFolder(_ path: [UInt8]) -> Bool {
        if case .success = folder(path) { true } else { false }
    }

    /// The room of the file system that a folder lies on, if that is known.
    package func space(of path: [UInt8]) -> FileSpace? {
        guard case .success(let folder) = folder(path),
            case .success(let space) = system.space(of: folder.descriptor)
        else { return nil }
        return space
    }
}
