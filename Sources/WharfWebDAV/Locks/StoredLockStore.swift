package import WharfStore

/// Keeps locks in a database.
package struct StoredLockStore: LockStore {
    private let database: Database

    /// Makes the table if it isn't there.
    package init(_ database: Database) throws {
        self.database = database
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS lock (
                token TEXT PRIMARY KEY, root BLOB NOT NULL, is_folder INTEGER NOT NULL,
                is_exclusive INTEGER NOT NULL, is_deep INTEGER NOT NULL, owner BLOB NOT NULL,
                user TEXT, timeout INTEGER NOT NULL, expiry INTEGER NOT NULL
            ) WITHOUT ROWID
            """)
    }

    package func locks() throws -> [Lock] {
        let columns = "token, root, is_folder, is_exclusive, is_deep, owner, user, timeout, expiry"
        return try database.run("SELECT \(columns) FROM lock").map { row in
            Lock(
                token: row[0].text ?? "", root: ResourcePath(bytes: row[1].bytes),
                isFolder: row[2].integer != 0, isExclusive: row[3].integer != 0,
                isDeep: row[4].integer != 0, owner: row[5].bytes, user: row[6].text,
                timeout: row[7].integer, expiry: row[8].integer)
        }
    }

    package func keep(_ lock: Lock) throws {
        try database.run(
            "INSERT OR REPLACE INTO lock VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .text(lock.token), .bytes(lock.root.bytes), .integer(lock.isFolder ? 1 : 0),
            .integer(lock.isExclusive ? 1 : 0), .integer(lock.isDeep ? 1 : 0),
            .bytes(lock.owner), lock.user.map { .text($0) } ?? .null, .integer(lock.timeout),
            .integer(lock.expiry))
    }

    package func forget(_ tokens: [String]) throws {
        try database.transaction {
            for token in tokens {
                try database.run("DELETE FROM lock WHERE token = ?", .text(token))
            }
        }
    }
}
