package import WharfNet

/// A file that is to be sent, open, with what it was when it was opened.
package struct FileSource: Sendable {
    package let path: String
    package let handle: FileHandle
    /// What it was then.
    package let status: FileStatus
    /// The bytes of it that are to be sent.
    package let range: Range<Int64>

    /// Opens a plain file; it may wait for a disk.
    ///
    /// Throws ``HTTPClientError`` when it can't be opened, or is none.
    package init(_ path: String) throws(HTTPClientError) {
        do throws(Errno) {
            handle = try FileHandle.open(path)
            status = try handle.status().get()
        } catch {
            throw HTTPClientError(.fileUnreadable, "\(path) can't be read", errno: error)
        }
        guard status.kind == .file else {
            throw HTTPClientError(.fileUnreadable, "\(path) is no plain file")
        }
        self.path = path
        range = 0..<max(status.size, 0)
    }

    private init(_ other: FileSource, _ range: Range<Int64>) {
        path = other.path
        handle = other.handle
        status = other.status
        self.range = range
    }

    /// A part of it; what lies beyond its end is left out.
    package func part(_ range: Range<Int64>) -> FileSource {
        FileSource(self, range.clamped(to: self.range))
    }

    /// The part as something to send.
    var span: FileSpan { FileSpan(handle, range) }

    /// Throws when it is not what it was when it was opened.
    ///
    /// It may wait for a disk.
    package func checkUnchanged() throws(HTTPClientError) {
        guard case .success(let now) = handle.status(), now.size == status.size,
            now.modificationTime == status.modificationTime
        else {
            throw HTTPClientError(.fileChanged, "\(path) changed while it was sent")
        }
    }
}

extension FileSource {
    /// Reads the part piece by piece; it waits for the disk.
    ///
    /// Throws ``HTTPClientError`` when the file has become shorter or can't be read, and what the
    /// closure throws.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(offset + Self.pieceSize, range.upperBound)
            switch span.bytes(in: offset..<end, cachedOnly: false) {
            case .success(let bytes) where bytes.isEmpty:
                throw HTTPClientError(.fileChanged, "\(path) became shorter while it was read")
            case .success(let bytes):
                try body(bytes)
                offset += Int64(bytes.count)
            case .failure(let error):
                throw HTTPClientError(.fileUnreadable, "\(path) can't be read", errno: error)
            }
        }
    }

    private static let pieceSize: Int64 = 256 * 1024
}
