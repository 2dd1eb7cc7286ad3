import Synchronization
import WharfNet

/// Hands out a zip archive of files and folders of a share, piece by piece.
///
/// It holds one open file, the way to it, and the directory that comes last. A file that becomes
/// shorter while it is read is as long as what was read. Its calls wait for the disk: for the pool
/// only, one at a time.
final class ArchiveSource: Sendable {
    /// What comes next.
    enum Step: Sendable {
        /// Bytes of the archive.
        case bytes([UInt8])
        /// A file at a path: whether it may be sent is to be told by ``settle(_:)``.
        case file([UInt8])
        /// Nothing more.
        case end
    }

    private let state: Mutex<ArchiveState>

    /// An archive of what lies at some paths; `asks`: whether each file is asked for.
    init(
        _ paths: [PagePath], in root: RootedDirectory, _ rules: ArchiveEntries.Rules, asks: Bool
    ) {
        state = Mutex(ArchiveState(ArchiveEntries(paths, in: root, rules), asks: asks))
    }

    /// The next step; throws ``WharfNet/Errno`` if there are more entries than an archive may have.
    func next() throws -> Step { try state.withLock { try $0.next() } }

    /// Says whether the file that the last step asked for is to be in the archive.
    func settle(_ isAdmitted: Bool) throws { try state.withLock { try $0.settle(isAdmitted) } }
}
