import WharfNet
package import WharfStore

/// Keeps dead properties in a database: a row for each, and none for what nobody has set.
package struct StoredPropertyStore: PropertyStore {
    private let database: Database
    private let hasRows: Locked<Bool>

    /// Makes the table if it isn't there.
    package init(_ database: Database) throws {
        self.database = database
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS property (
                path BLOB NOT NULL, parent BLOB, namespace TEXT NOT NULL, name TEXT NOT NULL,
                markup BLOB NOT NULL, PRIMARY KEY (path, namespace, name)
            ) WITHOUT ROWID
            """)
        try database.run("CREATE INDEX IF NOT EXISTS property_parent ON property (parent)")
        let first = try database.run("SELECT 1 FROM property LIMIT 1")
        hasRows = Locked(!first.isEmpty)
    }

    package var mayHaveAny: Bool { hasRows.withLock(\.self) }

    package func properties(of path: ResourcePath) throws -> [DeadProperty] {
        try database.run(
            """
            SELECT namespace, name, markup FROM property WHERE path = ?
            ORDER BY namespace, name
            """, .bytes(path.bytes)
        ).map(Self.property)
    }

    package func properties(
        ofMembersOf path: ResourcePath, byteCountMax: Int
    ) throws -> [ResourcePath: [DeadProperty]]? {
        let size = try database.run(
            "SELECT COALESCE(SUM(LENGTH(markup)), 0) FROM property WHERE parent = ?",
            .bytes(path.bytes))
        guard let byteCount = size.first?[0].integer, byteCount <= byteCountMax else { return nil }
        let rows = try database.run(
            """
            SELECT namespace, name, markup, path FROM property WHERE parent = ?
            ORDER BY path, namespace, name
            """, .bytes(path.bytes))
        return Dictionary(grouping: rows) { ResourcePath(bytes: $0[3].bytes) }
            .mapValues { $0.map(Self.property) }
    }

    package func change(_ path: ResourcePath, set: [DeadProperty], remove: [XMLName]) throws {
        if !set.isEmpty { hasRows.withLock { $0 = true } }
        try database.transaction {
            for name in remove {
                try database.run(
                    "DELETE FROM property WHERE path = ? AND namespace = ? AND name = ?",
                    .bytes(path.bytes), .text(name.namespace), .text(name.local))
            }
            for property in set {
                try database.run(
                    "INSERT OR REPLACE INTO property VALUES (?, ?, ?, ?, ?)",
                    .bytes(path.bytes), Self.parent(path), .text(property.name.namespace),
                    .text(property.name.local), .bytes(property.markup))
            }
        }
    }

    package func move(_ path: ResourcePath, to newPath: ResourcePath) throws {
        try database.transaction {
            try remove(within: newPath)
            let tree = Tree(path)
            try database.run(
                """
                UPDATE property SET
                    path = CAST(? || substr(path, ?) AS BLOB),
                    parent = CASE WHEN path = ? THEN ?
                        ELSE CAST(? || substr(parent, ?) AS BLOB) END
                WHERE path = ? OR path > ? AND path < ?
                """,
                .bytes(newPath.bytes), tree.restStart, .bytes(path.bytes), Self.parent(newPath),
                .bytes(newPath.bytes), tree.restStart, tree.root, tree.start, tree.end)
        }
    }

    package func copy(_ path: ResourcePath, to newPath: ResourcePath, isDeep: Bool) throws {
        try database.transaction {
            try remove(within: newPath)
            let tree = Tree(path)
            try database.run(
                """
                INSERT INTO property
                SELECT CAST(? || substr(path, ?) AS BLOB),
                    CASE WHEN path = ? THEN ? ELSE CAST(? || substr(parent, ?) AS BLOB) END,
                    namespace, name, markup
                FROM property WHERE path = ? OR ? AND path > ? AND path < ?
                """,
                .bytes(newPath.bytes), tree.restStart, .bytes(path.bytes), Self.parent(newPath),
                .bytes(newPath.bytes), tree.restStart, tree.root, .integer(isDeep ? 1 : 0),
                tree.start, tree.end)
        }
    }

    package func remove(within path: ResourcePath) throws {
        let tree = Tree(path)
        try database.run(
            "DELETE FROM property WHERE path = ? OR path > ? AND path < ?", tree.root, tree.start,
            tree.end)
    }

    private static func property(_ row: [StoreValue]) -> DeadProperty {
        DeadProperty(
            name: XMLName(namespace: row[0].text ?? "", row[1].text ?? ""), markup: row[2].bytes)
    }

    private static func parent(_ path: ResourcePath) -> StoreValue {
        path.parent.map { .bytes($0.bytes) } ?? .null
    }
}

/// What rows a folder's tree has: its own, and those between `folder/` and `folder0`, which is the
/// next text behind all that begin with the former.
private struct Tree {
    let root: StoreValue
    let start: StoreValue
    let end: StoreValue
    /// Where, counted from 1, a path goes on behind the folder's.
    let restStart: StoreValue

    init(_ path: ResourcePath) {
        root = .bytes(path.bytes)
        restStart = .integer(Int64(path.bytes.count + 1))
        if path.isRoot {
            start = .bytes([])
            // Behind every path: a name has at most 255 bytes.
            end = .bytes(Array(repeating: 0xFF, count: 256))
        } else {
            start = .bytes(path.bytes + [UInt8(ascii: "/")])
            end = .bytes(path.bytes + [UInt8(ascii: "/") + 1])
        }
    }
}
