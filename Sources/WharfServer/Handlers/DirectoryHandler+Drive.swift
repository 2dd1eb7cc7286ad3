package import WharfHTTP
package import WharfNet

/// What others who serve the same folder go by.
extension DirectoryHandler {
    /// The folder that it serves.
    package var folder: RootedDirectory { root }

    /// What the root is called.
    package var rootTitle: String { options.title ?? "/" }

    /// The media types by extension.
    package var mediaTypes: MediaTypeMap { options.mediaTypes }

    /// The file that stands for its folder, if there is one.
    package var indexName: String? { options.indexName }

    /// Whether folders are listed at all.
    package var listsFolders: Bool { options.listsFolders }

    /// Whether names that begin with a dot are listed.
    package var showsHidden: Bool { options.showsHidden }

    /// Whether a path has a name that exists for nobody.
    package func hides(_ path: [UInt8]) -> Bool {
        guard !options.showsHidden else { return false }
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        return path.first == dot
            || path.indices.dropLast().contains { path[$0] == slash && path[$0 + 1] == dot }
    }
}
