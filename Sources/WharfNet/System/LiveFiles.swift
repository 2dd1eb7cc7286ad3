import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that is being listed, as `opendir` answers it.
///
/// One thread at a time may use it.
@safe package struct FolderStream {
    #if canImport(Darwin)
        let raw: UnsafeMutablePointer<DIR>
    #else
        let raw: OpaquePointer
    #endif
}

/// The calls on files of ``System`` that need more than one line.
enum LiveFiles {
    static func openStream(of folder: Int32) -> Result<FolderStream, Errno> {
        // Opened anew: a duplicated descriptor would share its position with the folder's.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        return retrying { unsafe Int(openat(folder, ".", flags)) }.flatMap { descriptor in
            guard let stream = unsafe fdopendir(Int32(descriptor)) else {
                let error = Errno.current
                _ = libcClose(Int32(descriptor))
                return .failure(error)
            }
            return .success(unsafe FolderStream(raw: stream))
        }
    }

    static func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno> {
        // `readdir` tells the end from an error by this alone.
        errno = 0
        guard let entry = unsafe readdir(stream.raw) else {
            return errno == 0 ? .success(nil) : .failure(.current)
        }
        // In place: the record ends where the name does, before the end of the C type.
        let name = unsafe withUnsafeMutablePointer(to: &entry.pointee.d_name) { name in
            let first = unsafe UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self)
            let count = unsafe strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            return unsafe [UInt8](UnsafeBufferPointer(start: first, count: Int(count)))
        }
        return .success(name)
    }

    static func close(_ stream: FolderStream) {
        _ = unsafe closedir(stream.raw)
    }

    static func rename(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32, replaces: Bool
    ) -> SystemResult {
        unsafe retrying(name) { from in
            let answer = unsafe retrying(newName) { to in
                unsafe Int(cwharf_rename(folder, from, newFolder, to, replaces ? 1 : 0))
            }
            switch answer {
            case .success(let value): return value
            case .failure(let error):
                errno = error.rawValue
                return -1
            }
        }
    }

    static func isRemote(_ descriptor: Int32) -> Bool {
        var raw = statfs()
        guard unsafe fstatfs(descriptor, &raw) == 0 else { return false }
        #if os(Linux)
            return remoteTypes.contains(UInt32(truncatingIfNeeded: raw.f_type))
        #else
            return unsafe raw.f_flags & UInt32(MNT_LOCAL) == 0
        #endif
    }

    #if os(Linux)
        /// The magic numbers of statfs(2) for which a call may wait for more than a disk.
        private static let remoteTypes: Set<UInt32> = [
            0x6969,  // NFS
            0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB2
            0x6573_5546,  // FUSE
            0x0102_1997,  // 9p
            0x00C3_6400,  // Ceph
            0x5346_414F, 0x6B41_4653,  // AFS
            0x7375_7245,  // Coda
            0x0BD0_0BD0,  // Lustre
            0x786F_4256,  // shared folders of VirtualBox
            0xBACB_ACBC,  // shared folders of VMware
        ]
    #endif
}

/// Calls with a path as C wants it, until it is not a signal that ended the call.
///
/// A path with a NUL inside would be cut there: `EINVAL`.
func retrying(_ path: [UInt8], _ call: (UnsafePointer<CChar>) -> Int) -> SystemResult {
    guard !path.contains(0) else { return .failure(.invalidArgument) }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { text in
        for index in path.indices {
            unsafe text[index] = CChar(bitPattern: path[index])
        }
        unsafe text[path.count] = 0
        guard let first = text.baseAddress else { return .failure(.invalidArgument) }
        return retrying { unsafe call(UnsafePointer(first)) }
    }
}
