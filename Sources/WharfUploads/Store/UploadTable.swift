import WharfHTTP
import WharfStore

/// The records of uploads, as rows.
///
/// All calls wait for the disk: for the pool only.
struct UploadTable: Sendable {
    private let database: Database

    private static let columns = """
        id, owner, folder, part, method, path, clash, fields, metadata, concatenation, length,
        floor, expiry, outcome_count, outcome_path, attempt_path, attempt_inode
        """

    /// Makes the table if it isn't there.
    init(_ database: Database) throws {
        self.database = database
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS upload (
                id TEXT PRIMARY KEY, owner TEXT, folder BLOB NOT NULL, part BLOB NOT NULL,
                method TEXT, path TEXT, clash INTEGER, fields TEXT, metadata TEXT,
                concatenation TEXT, length INTEGER, floor INTEGER, expiry INTEGER NOT NULL,
                outcome_count INTEGER, outcome_path TEXT, attempt_path TEXT,
                attempt_inode INTEGER
            ) WITHOUT ROWID
            """)
        try database.run("CREATE UNIQUE INDEX IF NOT EXISTS upload_part ON upload (part)")
        try database.run("CREATE INDEX IF NOT EXISTS upload_owner ON upload (owner)")
        try database.run("CREATE INDEX IF NOT EXISTS upload_expiry ON upload (expiry)")
    }

    func insert(_ record: UploadRecord) throws {
        let target = record.target
        try database.run(
            """
            INSERT INTO upload VALUES
                (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL)
            """,
            .text(record.id), Self.value(record.owner), .bytes(record.folder),
            .bytes(record.part), Self.value(target?.method.rawValue), Self.value(target?.path),
            Self.value((target?.clash.rawValue).map(Int64.init)),
            Self.value(target.map { Self.text($0.fields) }), Self.value(record.metadata),
            Self.value(record.concatenation), Self.value(record.length),
            Self.value(record.floor), .integer(record.expiry))
    }

    func find(_ id: String) throws -> UploadRecord? {
        try database.run("SELECT \(Self.columns) FROM upload WHERE id = ?", .text(id))
            .first.map(Self.record)
    }

    /// Writes what may have changed.
    func update(_ record: UploadRecord) throws {
        try database.run(
            """
            UPDATE upload SET length = ?, floor = ?, expiry = ?, outcome_count = ?,
                outcome_path = ?, attempt_path = ?, attempt_inode = ? WHERE id = ?
            """,
            Self.value(record.length), Self.value(record.floor), .integer(record.expiry),
            Self.value(record.outcome?.byteCount), Self.value(record.outcome?.path),
            Self.value(record.attempt?.path),
            Self.value((record.attempt?.inode).map { Int64(bitPattern: $0) }),
            .text(record.id))
    }

    func remove(_ id: String) throws {
        try database.run("DELETE FROM upload WHERE id = ?", .text(id))
    }

    /// Some of those that have expired.
    func expired(at time: Int64, countMax: Int) throws -> [UploadRecord] {
        try database.run(
            "SELECT \(Self.columns) FROM upload WHERE expiry <= ? ORDER BY expiry LIMIT ?",
            .integer(time), .integer(Int64(countMax))
        ).map(Self.record)
    }

    /// Forgets the oldest of those that have their name, beyond some.
    func forgetOutcomes(beyond countMax: Int) throws {
        try database.run(
            """
            DELETE FROM upload WHERE id IN (
                SELECT id FROM upload WHERE outcome_count IS NOT NULL
                ORDER BY expiry DESC LIMIT -1 OFFSET ?)
            """, .integer(Int64(countMax)))
    }

    /// Whether a file belongs to an upload that has not got its name.
    func hasPart(_ name: [UInt8]) throws -> Bool {
        try !database.run(
            "SELECT 1 FROM upload WHERE part = ? AND outcome_count IS NULL", .bytes(name)
        ).isEmpty
    }

    /// How many uploads of a user's go on, and the bytes that they were announced to have; one of
    /// them may be left out.
    func use(of owner: String?, except id: String? = nil) throws -> (count: Int64, byteCount: Int64)
    {
        let row = try database.run(
            """
            SELECT count(*), CAST(min(total(length), 9e18) AS INTEGER) FROM upload
            WHERE owner IS ? AND id IS NOT ? AND outcome_count IS NULL
            """, Self.value(owner), Self.value(id)
        ).first
        return (row?[0].integer ?? 0, row?[1].integer ?? 0)
    }

    /// Those that go on of which nobody has said how long they will be.
    func unannounced(of owner: String?, except id: String?) throws -> [UploadRecord] {
        try database.run(
            """
            SELECT \(Self.columns) FROM upload
            WHERE owner IS ? AND id IS NOT ? AND outcome_count IS NULL AND length IS NULL
            """, Self.value(owner), Self.value(id)
        ).map(Self.record)
    }

    /// How many go on altogether.
    func count() throws -> Int64 {
        try database.run("SELECT count(*) FROM upload WHERE outcome_count IS NULL")
            .first?[0].integer ?? 0
    }

    // MARK: Rows

    private static func value(_ text: String?) -> StoreValue { text.map { .text($0) } ?? .null }
    private static func value(_ number: Int64?) -> StoreValue {
        number.map { .integer($0) } ?? .null
    }

    private static func number(_ value: StoreValue) -> Int64? {
        if case .integer(let number) = value { number } else { nil }
    }

    private static func record(_ row: [StoreValue]) -> UploadRecord {
        var target: UploadRecord.Target?
        if let method = row[4].text.flatMap({ HTTPRequest.Method($0) }), let path = row[5].text {
            target = UploadRecord.Target(
                method: method, path: path,
                clash: NameClash(rawValue: Int(row[6].integer)) ?? .refuse,
                fields: fields(row[7].text ?? ""))
        }
        let outcome = number(row[13]).map {
            UploadRecord.Outcome(byteCount: $0, path: row[14].text ?? "")
        }
        let attempt = row[15].text.map {
            UploadRecord.Attempt(path: $0, inode: UInt64(bitPattern: row[16].integer))
        }
        return UploadRecord(
            id: row[0].text ?? "", owner: row[1].text, folder: row[2].bytes, part: row[3].bytes,
            target: target, metadata: row[8].text, concatenation: row[9].text,
            length: number(row[10]), floor: number(row[11]), expiry: row[12].integer,
            attempt: attempt, outcome: outcome)
    }

    // No value of a field has a line end in it.
    private static func text(_ fields: [UploadRecord.Field]) -> String {
        fields.map { "\($0.name)\n\($0.value)" }.joined(separator: "\n")
    }

    private static func fields(_ text: String) -> [UploadRecord.Field] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return stride(from: 0, to: lines.count - 1, by: 2).map {
            UploadRecord.Field(name: lines[$0], value: lines[$0 + 1])
        }
    }
}
