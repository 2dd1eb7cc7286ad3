import WharfServer

/// An entry of GCDWebUploader's list: a folder's path ends in a slash, and it has no size.
struct UploaderEntry: Encodable, Sendable {
    let path: String
    let name: String
    let size: Int64?

    /// Sorted as Finder does, folders among the files.
    static func entries(of listing: FolderListing, in folder: PagePath) -> [UploaderEntry] {
        let base = folder.names.isEmpty ? "/" : "/\(folder.text)/"
        return listing.items.map { (NaturalOrder($0.name), $0) }
            .sorted { $0.0 < $1.0 }
            .map { _, item in
                let name = String(decoding: item.name, as: UTF8.self)
                return UploaderEntry(
                    path: base + name + (item.isFolder ? "/" : ""), name: name,
                    size: item.isFolder ? nil : item.size)
            }
    }
}
