import TestSupport
import Testing
import WharfStore

@Suite struct `A database` {
    private struct Stop: Error {}

    @Test func `hands out what it was given`() throws {
        let database = try Database(path: ":memory:")
        try database.run("CREATE TABLE a (b)")
        let values: [StoreValue] = [
            .null, .integer(.min), .text("ä\u{1F600}'"), .text(""), .bytes([0, 255]), .bytes([]),
        ]
        for value in values { try database.run("INSERT INTO a VALUES (?)", value) }
        #expect(try database.run("SELECT b FROM a ORDER BY rowid") == values.map { [$0] })
    }

    @Test func `undoes a transaction that fails`() throws {
        let database = try Database(path: ":memory:")
        try database.run("CREATE TABLE a (b UNIQUE)")
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.run("INSERT INTO a VALUES (1)")
                throw Stop()
            }
        }
        #expect(throws: StoreError.self) {
            try database.transaction {
                try database.run("INSERT INTO a VALUES (1)")
                try database.run("INSERT INTO a VALUES (1)")
            }
        }
        #expect(try database.run("SELECT b FROM a") == [])
        try database.transaction { _ = try database.run("INSERT INTO a VALUES (1)") }
        #expect(try database.run("SELECT b FROM a") == [[.integer(1)]])
    }

    @Test func `keeps what was written, and others out`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/state.sqlite"
        do {
            let database = try Database(path: path)
            try database.run("CREATE TABLE a (b)")
            try database.run("INSERT INTO a VALUES (7)")
            do {
                _ = try Database(path: path)
                Issue.record("two have opened it")
            } catch {
                #expect(error.isInUse)
            }
        }
        #expect(try Database(path: path).run("SELECT b FROM a") == [[.integer(7)]])
    }

    @Test func `says what is wrong`() throws {
        let database = try Database(path: ":memory:")
        do {
            try database.run("SELECT a FROM nowhere")
            Issue.record("it ran")
        } catch {
            #expect(error.description == "no such table: nowhere (SQLite 1)")
            #expect(!error.isInUse && !error.isFull)
        }
        do {
            _ = try Database(path: "/nowhere/at/all")
            Issue.record("it was opened")
        } catch {
            #expect(error.code & 0xFF == 14)
        }
    }
}
