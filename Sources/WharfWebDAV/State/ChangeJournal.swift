import WharfStore

/// What is about to be changed in the share, so that after a kill in between it is known what locks
/// and properties have to follow.
struct ChangeJournal: Sendable {
    private let database: Database

    /// Makes the table if it isn't there.
    init(_ database: Database) throws {
        self.database = database
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS change (
                id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path BLOB NOT NULL,
                new_path BLOB NOT NULL, inode INTEGER NOT NULL
            )
            """)
    }

    /// Notes that a change will be made, and what inode its witness has.
    func begin(_ change: DriveChange, inode: UInt64) throws -> Int64 {
        let (kind, path, newPath) = Self.row(change)
        try database.run(
            "INSERT INTO change (kind, path, new_path, inode) VALUES (?, ?, ?, ?)", .text(kind),
            .bytes(path.bytes), .bytes(newPath.bytes), .integer(Int64(bitPattern: inode)))
        return try database.run("SELECT last_insert_rowid()").first?[0].integer ?? 0
    }

    /// Forgets a change, that was made with all that goes with it, or was not made.
    func end(_ id: Int64) throws {
        try database.run("DELETE FROM change WHERE id = ?", .integer(id))
    }

    /// What was begun and not ended, in its order.
    func unfinished() throws -> [(id: Int64, change: DriveChange, inode: UInt64)] {
        try database.run("SELECT id, kind, path, new_path, inode FROM change ORDER BY id")
            .compactMap { row in
                let (path, newPath) = (
                    ResourcePath(bytes: row[2].bytes), ResourcePath(bytes: row[3].bytes)
                )
                guard let change = Self.change(row[1].text ?? "", path, newPath) else { return nil }
                return (row[0].integer, change, UInt64(bitPattern: row[4].integer))
            }
    }

    /// Runs some changes of the database of which all take effect or none.
    func transaction<R>(_ body: () throws -> R) throws -> R { try database.transaction(body) }

    private static func row(_ change: DriveChange) -> (String, ResourcePath, ResourcePath) {
        switch change {
        case .removed(let path): ("remove", path, .root)
        case .moved(let path, let newPath): ("move", path, newPath)
        case .copied(let path, let newPath, let isDeep):
            (isDeep ? "copy" : "copy-shallow", path, newPath)
        }
    }

    private static func change(_ kind: String, _ path: ResourcePath, _ newPath: ResourcePath)
        -> DriveChange?
    {
        switch kind {
        case "remove": .removed(path)
        case "move": .moved(path, to: newPath)
        case "copy": .copied(path, to: newPath, isDeep: true)
        case "copy-shallow": .copied(path, to: newPath, isDeep: false)
        default: nil
        }
    }
}
