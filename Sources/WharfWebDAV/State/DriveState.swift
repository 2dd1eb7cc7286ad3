import WharfNet
import WharfServer
import WharfStore

/// What a drive remembers of its resources: their locks and properties.
final class DriveState: Sendable {
    let locks: Locks
    let properties: any PropertyStore
    private let journal: ChangeJournal?
    private let root: DirectoryHandler

    /// Everything ends with the process; or it is kept in a folder, and what a killed process has
    /// left undone is done now.
    ///
    /// `root` serves the share. Throws what the database throws.
    init(folder: String?, root: DirectoryHandler, now: Int64) throws {
        self.root = root
        guard let folder else {
            locks = try Locks(now: now)
            properties = MemoryPropertyStore()
            journal = nil
            return
        }
        let database = try Database(path: folder + "/webdav.sqlite")
        locks = try Locks(store: StoredLockStore(database), now: now)
        properties = try StoredPropertyStore(database)
        // What was remembered of what a killed process was removing.
        try properties.remove(within: Removal.shelf)
        let journal = try ChangeJournal(database)
        self.journal = journal
        for (id, change, inode) in try journal.unfinished() {
            try journal.transaction {
                if change.wasMade(inode, { self.inode(of: $0) }) { try follow(change) }
                try journal.end(id)
            }
        }
    }

    /// What has to go along with a change of the share; `check` throws if it must not be made.
    func companion(of change: DriveChange, _ check: @escaping @Sendable () throws -> Void)
        -> ChangeCompanion
    {
        let id = Locked<Int64?>(nil)
        let removal = Removal(of: change)
        return ChangeCompanion {
            try check()
            let begun = try self.journal?.begin(
                change, inode: self.inode(of: change.witness) ?? 0)
            id.withLock { $0 = begun }
        } failed: {
            // What stays there is judged after the next start, by the same inode.
            if let begun = id.withLock(\.self) { try? self.journal?.end(begun) }
        } after: {
            let settle = { try removal?.begin(in: self) ?? self.follow(change) }
            guard let journal = self.journal, let begun = id.withLock(\.self) else {
                return try settle()
            }
            try journal.transaction {
                try settle()
                try journal.end(begun)
            }
        } restored: {
            try removal?.takeBack(in: self)
        } gone: {
            try removal?.end(in: self)
        }
    }

    /// Forgets what somebody has set on a path at which nothing is any more; for the pool.
    func prepareNew(_ path: ResourcePath) throws {
        if properties.mayHaveAny { try properties.remove(within: path) }
    }

    private func follow(_ change: DriveChange) throws {
        switch change {
        case .removed(let path):
            try locks.remove(within: path)
            try properties.remove(within: path)
        case .moved(let path, let newPath):
            // RFC 4918 §7.6: locks don't travel, and those of what was replaced have ended.
            try locks.remove(within: path)
            try locks.remove(within: newPath)
            try properties.move(path, to: newPath)
        case .copied(let path, let newPath, let isDeep):
            try locks.remove(within: newPath)
            try properties.copy(path, to: newPath, isDeep: isDeep)
        }
    }

    private func inode(of path: ResourcePath) -> UInt64? {
        guard case .success(let opened) = root.folder.open(path.bytes, cachedOnly: false) else {
            return nil
        }
        return opened.status.inode
    }
}
