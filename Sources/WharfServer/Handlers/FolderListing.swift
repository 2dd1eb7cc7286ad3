package import WharfNet

/// What a folder has for a client to see: folders first, then by name.
package struct FolderListing: Sendable {
    package struct Item: Sendable {
        /// The file system's bytes, which may not be UTF-8.
        package let name: [UInt8]
        package let isFolder: Bool
        /// Bytes of a file.
        package let size: Int64
        /// Seconds since 1970.
        package let modificationSeconds: Int64
    }

    package var items: [Item] = []
    /// Whether there are more than are listed.
    package var isCut = false

    /// A page of more rows helps nobody, and would have to be held in memory.
    static let itemCountMax = 20_000

    /// Reads a folder on the pool, one job for some hundred entries.
    ///
    /// Throws ``WharfNet/Errno``.
    package static func read(
        _ folder: OpenedFile, of share: Share, showsHidden: Bool, for request: Request
    ) async throws -> FolderListing {
        let reader = try await request.offload { try share.root.list(folder).get() }
        var listing = FolderListing()
        while !listing.isCut {
            let entries = try await request.offload { try reader.next().get() }
            if entries.isEmpty { break }
            let admitted = entries.filter {
                $0.status.kind != .file || share.admitsFile($0.name)
            }
            listing.add(admitted, showsHidden: showsHidden, itemCountMax: itemCountMax)
        }
        return try await request.offload { [listing] in listing.sorted() }
    }

    /// Takes up what a client may see, as long as there is room.
    mutating func add(_ entries: [FolderEntry], showsHidden: Bool, itemCountMax: Int) {
        for entry in entries {
            // A link that leads out of the root, a device or a pipe can't be opened.
            // A path with a backslash is refused, as it means a folder on other systems.
            guard entry.status.kind == .file || entry.status.kind == .folder,
                !entry.name.contains(UInt8(ascii: "\\")),
                showsHidden || entry.name.first != UInt8(ascii: ".")
            else { continue }
            guard items.count < itemCountMax else {
                isCut = true
                return
            }
            items.append(
                Item(
                    name: entry.name, isFolder: entry.status.kind == .folder,
                    size: entry.status.size,
                    modificationSeconds: entry.status.modificationSeconds))
        }
    }

    func sorted() -> FolderListing {
        var copy = self
        copy.items = items.map { ($0, NaturalOrder($0.name)) }
            .sorted { left, right in
                left.0.isFolder == right.0.isFolder ? left.1 < right.1 : left.0.isFolder
            }
            .map(\.0)
        return copy
    }
}
