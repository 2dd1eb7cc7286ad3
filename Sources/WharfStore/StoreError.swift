/// A failure of SQLite.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// SQLite's result code, extended.
    package let code: Int32
    /// What it says of it.
    package let reason: String

    package init(code: Int32, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Whether another process has the file.
    package var isInUse: Bool { code & 0xFF == Self.busy }

    /// Whether there is no room for more.
    package var isFull: Bool { code & 0xFF == Self.full }

    package var description: String { "\(reason) (SQLite \(code))" }

    // SQLITE_BUSY and SQLITE_FULL.
    private static let busy: Int32 = 5
    private static let full: Int32 = 13
}
