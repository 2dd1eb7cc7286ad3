/// Makes the bytes of a zip archive around the content of its entries, front to back: nothing has to
/// be known of an entry's content before it is sent (APPNOTE 6.3, with zip64).
///
/// Contents are stored as they are. For each entry the bytes of ``begin(_:)`` come first, then its
/// content, of which ``take(_:)`` is told, then those of ``end()``; behind the last the pieces of
/// ``directory()``. It holds about a hundred bytes for each entry.
package struct ZipWriter: Sendable {
    /// What is known of an entry before its content.
    package struct Entry: Sendable, Hashable {
        /// The path, with slashes; that of a folder ends in one.
        package var name: [UInt8]
        /// Bytes of content that are expected; there may be fewer.
        package var size: Int64
        /// Seconds since 1970.
        package var modificationSeconds: Int64

        /// Describes an entry.
        package init(name: [UInt8], size: Int64, modificationSeconds: Int64) {
            self.name = name
            self.size = size
            self.modificationSeconds = modificationSeconds
        }

        var isFolder: Bool { name.last == UInt8(ascii: "/") }
    }

    /// More would need too much memory: their directory comes last.
    package static let entryCountMax = 1_000_000

    private var current: ZipEntryRecord?
    private var records: [[UInt8]] = []
    private var offset: Int64 = 0
    /// Entries that were begun.
    package private(set) var entryCount = 0

    /// An archive without entries.
    package init() {}

    /// What stands before the content of an entry; `nil` if there are too many entries, or its name
    /// is too long.
    package mutating func begin(_ entry: Entry) -> [UInt8]? {
        precondition(current == nil, "an entry has to be ended before the next one")
        guard entryCount < Self.entryCountMax, entry.name.count <= Int(UInt16.max) else {
            return nil
        }
        let record = ZipEntryRecord(entry, offset: offset)
        let bytes = record.localHeader
        entryCount += 1
        offset += Int64(bytes.count)
        current = record
        return bytes
    }

    /// Is told of content, which is sent as it is.
    package mutating func take(_ bytes: borrowing Span<UInt8>) {
        guard let before = current?.checksum else { return }
        current?.checksum = CRC32.update(before, with: bytes)
        current?.byteCount += Int64(bytes.count)
        offset += Int64(bytes.count)
    }

    /// What stands behind the content of an entry.
    package mutating func end() -> [UInt8] {
        guard let record = current else { return [] }
        current = nil
        let bytes = record.descriptor
        offset += Int64(bytes.count)
        append(record.directoryRecord)
        return bytes
    }

    /// What stands behind the last entry, in pieces.
    package func directory() -> [[UInt8]] {
        let byteCount = records.reduce(0) { $0 + Int64($1.count) }
        return records + [ZipDirectoryEnd(entryCount, offset: offset, byteCount: byteCount).bytes]
    }

    /// Piece by piece: to make one large array larger would take its memory twice.
    private mutating func append(_ record: [UInt8]) {
        if let last = records.last, last.count + record.count <= Self.pieceSize {
            records[records.count - 1] += record
        } else {
            var piece: [UInt8] = []
            piece.reserveCapacity(Self.pieceSize)
            records.append(piece + record)
        }
    }

    private static let pieceSize = 64 * 1024
}
