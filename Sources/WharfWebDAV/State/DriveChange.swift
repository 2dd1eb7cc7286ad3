/// A change of the share that locks and properties have to follow.
enum DriveChange: Sendable, Hashable {
    /// A resource is gone with all below it.
    case removed(ResourcePath)
    /// A resource has another path.
    case moved(ResourcePath, to: ResourcePath)
    /// There is a copy, in the place of what was there.
    case copied(ResourcePath, to: ResourcePath, isDeep: Bool)

    /// The resource whose inode tells whether the change was made.
    var witness: ResourcePath {
        switch self {
        case .removed(let path), .moved(let path, _): path
        case .copied(_, let newPath, _): newPath
        }
    }

    /// Whether the change was made, if the witness had this inode before (0: there was none);
    /// `inode` tells what a path has now.
    func wasMade(_ before: UInt64, _ inode: (ResourcePath) -> UInt64?) -> Bool {
        switch self {
        case .removed(let path): inode(path) != before
        // It takes its inode along.
        case .moved(_, let newPath): inode(newPath) == before
        case .copied(_, let newPath, _): inode(newPath).map { $0 != before } ?? false
        }
    }
}
