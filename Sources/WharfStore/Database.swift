import CSQLite

/// A file of SQLite's: what has to survive a restart.
///
/// One connection, used by one thread at a time. A process that has the file keeps others out. All
/// calls wait for the disk: none is for an event loop. What a transaction has written is there after
/// the process was killed; after a loss of power the last ones may be gone, but never a part of one.
@safe package final class Database: @unchecked Sendable {
    // @unchecked: the connection and the statements are used under SQLite's own mutex, which is
    // recursive.

    private let connection: OpaquePointer
    private let mutex: OpaquePointer?
    private var statements: [String: Statement] = [:]

    /// Opens the file, or makes it.
    ///
    /// The path `:memory:` is a database in memory.
    package init(path: String) throws(StoreError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let connection = unsafe opened else {
            throw StoreError(code: code, reason: "out of memory")
        }
        guard code == SQLITE_OK else {
            let error = unsafe StoreError(code: code, reason: Self.reason(connection))
            unsafe sqlite3_close(connection)
            throw error
        }
        unsafe self.connection = connection
        unsafe mutex = sqlite3_db_mutex(connection)
        unsafe sqlite3_extended_result_codes(connection, 1)
        // Before anything is read: with it the first lock is kept until the file is closed.
        try run("PRAGMA locking_mode = EXCLUSIVE")
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        try run("BEGIN IMMEDIATE")
        try run("COMMIT")
    }

    deinit {
        // It stays open until the last statement has gone.
        unsafe sqlite3_close_v2(connection)
    }

    /// Runs a statement and hands out its rows.
    @discardableResult
    package func run(_ sql: String, _ values: StoreValue...) throws(StoreError) -> [[StoreValue]] {
        unsafe sqlite3_mutex_enter(mutex)
        defer { unsafe sqlite3_mutex_leave(mutex) }
        let statement = unsafe try prepared(sql).pointer
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try check(unsafe bind(value, at: Int32(index + 1), to: statement))
        }
        var rows: [[StoreValue]] = []
        while true {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw failure(code) }
            rows.append(
                unsafe (0..<sqlite3_column_count(statement)).map {
                    unsafe column($0, of: statement)
                })
        }
    }

    /// Runs some statements of which all take effect or none; throws what the closure throws.
    ///
    /// Within another transaction they are a part of that.
    package func transaction<Failure: Error, R>(_ body: () throws(Failure) -> R) throws -> R {
        unsafe sqlite3_mutex_enter(mutex)
        defer { unsafe sqlite3_mutex_leave(mutex) }
        if unsafe sqlite3_get_autocommit(connection) == 0 { return try body() }
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // It may have been rolled back already, by the error itself.
            if unsafe sqlite3_get_autocommit(connection) == 0 { try run("ROLLBACK") }
            throw error
        }
    }

    // MARK: Statements

    private func prepared(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql] { return statement }
        var made: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        try check(code)
        guard let pointer = unsafe made else { throw failure(SQLITE_MISUSE) }
        let statement = unsafe Statement(pointer)
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: StoreValue, at index: Int32, to statement: OpaquePointer) -> Int32 {
        // SQLite takes a copy.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null:
            return unsafe sqlite3_bind_null(statement, index)
        case .integer(let number):
            return unsafe sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            let count = Int32(clamping: text.utf8.count)
            return unsafe sqlite3_bind_text(statement, index, text, count, transient)
        case .bytes(let bytes):
            // Without a pointer it would be NULL.
            if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, index, 0) }
            return unsafe bytes.withUnsafeBytes {
                unsafe sqlite3_bind_blob(
                    statement, index, $0.baseAddress, Int32(clamping: $0.count), transient)
            }
        }
    }

    private func column(_ index: Int32, of statement: OpaquePointer) -> StoreValue {
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER:
            return .integer(unsafe sqlite3_column_int64(statement, index))
        case SQLITE_TEXT:
            guard let text = unsafe sqlite3_column_text(statement, index) else { return .null }
            return .text(unsafe String(cString: text))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(statement, index)
            let count = unsafe Int(sqlite3_column_bytes(statement, index))
            return .bytes(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
        default:
            return .null
        }
    }

    // MARK: Errors

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        unsafe StoreError(code: code, reason: Self.reason(connection))
    }

    private static func reason(_ connection: OpaquePointer) -> String {
        unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? "unknown"
    }
}

/// A statement that was made ready, and may be run any number of times.
@safe private final class Statement {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sqlite3_finalize(pointer)
    }
}
