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

    /// Whether a path has a name that exists for nobody.
    package func hides(_ path: [UInt8]) -> Bool {
        guard !options.showsHidden else { return false }
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        return path.first == dot
            || path.indices.dropLast().contains { path[$0] == slash && path[$0 + 1] == dot }
    }
}
