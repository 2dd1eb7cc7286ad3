import WharfCrypto
import WharfHTTP
import WharfNet
import WharfServer
import WharfStore

/// Keeps uploads until they are whole: their bytes beside where they go, and what is known of them in
/// a database.
///
/// What counts is the file: the kernel has what was written to it, whatever becomes of the process, so
/// nothing is synced before a byte is acknowledged, unless the share syncs its uploads. An upload's
/// offset is the length of its file, but never beyond the record's `floor`, behind which bytes are not
/// checked. All calls wait for the disk: for the pool only.
final class UploadStore: Sendable {
    let root: RootedDirectory
    let gate = UploadGate()
    private let table: UploadTable
    private let options: ResumableUploads.Options
    /// Seconds since 1970 when it was last looked for uploads that have expired.
    private let sweptAt = Locked<Int64>(0)
    /// Held from where room is counted to where it is taken.
    private let creating = Turn()

    /// Open when the store is gone.
    private let end = Latch()

    private static let sweptCountMax = 1000
    /// Seconds between two looks for what has expired, at most.
    private static let sweepIntervalMax: Int64 = 60
    /// Seconds between two looks for files that belong to no upload, at least.
    private static let folderIntervalMin: Int64 = 3600

    /// Opens the state's folder, or keeps records in memory without one.
    ///
    /// Files of uploads that it knows nothing of are removed, by a thread of its own.
    init(_ root: RootedDirectory, _ options: ResumableUploads.Options) throws {
        self.root = root
        self.options = options
        let path = options.stateFolder.map { $0 + "/uploads.sqlite" } ?? ":memory:"
        table = try UploadTable(try Database(path: path))
    }

    deinit {
        end.open()
    }

    /// Removes from time to time what has expired, and old files that belong to no upload, by a thread
    /// of its own, until nobody needs the store any more.
    func startSweeping() {
        let interval = Int(min(Self.sweepIntervalMax, max(1, lifetime / 2)))
        let folderInterval = max(lifetime, Self.folderIntervalMin)
        let end = end
        // Without a thread what has expired is removed when the next upload begins.
        try? Thread.start(name: "wharf-sweep") { [weak self] in
            self?.sweepFolder()
            var sweptAt = System.withoutLoop.unixTime()
            while !end.wait(seconds: interval) {
                if System.withoutLoop.unixTime() - sweptAt > folderInterval {
                    self?.sweepFolder()
                    sweptAt = System.withoutLoop.unixTime()
                }
                // The next look may have more luck than this one.
                try? self?.tidy()
            }
        }
    }

    private func tidy() throws {
        try removeExpired(System.withoutLoop.unixTime())
        try table.forgetOutcomes(beyond: Self.outcomeCountMax)
    }

    /// Removes files that belong to no upload and are too old for one of another server; takes long in
    /// large folders.
    private func sweepFolder() {
        root.sweepHeld(before: System.withoutLoop.unixTime() - lifetime) { name in
            // What can't be looked up may be somebody's.
            (try? table.hasPart(name)) ?? true
        }
    }

    // MARK: Making and finding

    /// What is to be made.
    struct Draft: Sendable {
        var owner: String?
        var folder: [UInt8]
        var target: UploadRecord.Target?
        var metadata: String?
        var concatenation: String?
        var length: Int64?
    }

    /// Makes an empty upload, and opens it.
    ///
    /// Throws the ``HTTPError`` 429 where the user has too many, 507 where there is no room.
    func make(_ draft: Draft, now: Int64) throws -> (UploadRecord, FileWriter) {
        try removeExpired(now)
        return try creating.take {
            try checkRoom(for: draft)
            let (writer, part) = try root.holdPart(in: draft.folder)
            let record = UploadRecord(
                id: Self.randomID(), owner: draft.owner, folder: draft.folder, part: part,
                target: draft.target, metadata: draft.metadata,
                concatenation: draft.concatenation, length: draft.length, floor: nil,
                expiry: now + lifetime, attempt: nil, outcome: nil)
            do {
                try table.insert(record)
            } catch {
                writer.discard()
                throw error
            }
            return (record, writer)
        }
    }

    private func checkRoom(for draft: Draft) throws {
        let count = try table.use(of: draft.owner).count
        guard count < options.countMaxPerUser, try table.count() < options.countMax else {
            throw HTTPError(
                .tooManyRequests, reason: "too many uploads that are not complete",
                fields: [.retryAfter: "60"])
        }
        let length = draft.length ?? 0
        guard try room(for: draft.owner) >= length else {
            throw HTTPError(.insufficientStorage, reason: "too much announced by one user")
        }
        if let space = root.space(of: draft.folder), space.availableByteCount < length {
            throw HTTPError(
                .insufficientStorage, reason: "\(length) bytes, but the disk is too full")
        }
    }

    /// Notes the length of an upload that was begun without; throws if it is too much for its user.
    func setLength(_ length: Int64, of record: UploadRecord) throws -> UploadRecord {
        try creating.take {
            guard try room(for: record.owner, except: record.id) >= length else {
                throw HTTPError(.insufficientStorage, reason: "too much announced by one user")
            }
            var record = record
            record.length = length
            try table.update(record)
            return record
        }
    }

    /// Bytes that a user's uploads may still have beside the others, or beside all but one.
    ///
    /// Of those whose length nobody has said it counts what has come.
    func room(for owner: String?, except id: String? = nil) throws -> Int64 {
        guard let byteCountMax = options.byteCountMaxPerUser else { return .max }
        let unannounced = try table.unannounced(of: owner, except: id)
        let received = unannounced.reduce(Int64(0)) { sum, record in
            guard case .success(let size) = root.partSize(record.part, in: record.folder) else {
                return sum
            }
            return sum + size
        }
        return max(0, byteCountMax - received - (try table.use(of: owner, except: id).byteCount))
    }

    private var lifetime: Int64 { max(1, options.lifetime.components.seconds) }

    private static func randomID() -> String {
        Random.bytes(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The upload of a user; the ``HTTPError`` 404 if there is none, or it is another's.
    func find(_ id: String, owner: String?, now: Int64) throws -> UploadRecord {
        try removeExpired(now)
        guard let record = try table.find(id), record.owner == nil || record.owner == owner,
            record.expiry > now
        else { throw HTTPError(.notFound, reason: "no such upload") }
        return try settled(record, now: now)
    }

    /// Finds out whether an upload got its name just before the process ended.
    private func settled(_ record: UploadRecord, now: Int64) throws -> UploadRecord {
        guard record.outcome == nil, let attempt = record.attempt,
            case .failure(.notFound) = root.partSize(record.part, in: record.folder),
            let path = RequestPath(attempt.path),
            case .success(let place) = root.place(of: UploadExchange.joined(path.segments)),
            case .success(let status?) = place.status(), status.inode == attempt.inode
        else { return record }
        var record = record
        let outcome = UploadRecord.Outcome(byteCount: status.size, path: attempt.path)
        try finish(&record, outcome, now: now)
        return record
    }

    /// How many bytes of it there are; the ``HTTPError`` 404 when its file is gone.
    func offset(of record: UploadRecord) throws -> Int64 {
        if let outcome = record.outcome { return outcome.byteCount }
        switch root.partSize(record.part, in: record.folder) {
        case .success(let size):
            return record.floor.map { min(size, $0) } ?? size
        case .failure(let error):
            throw try failure(error, of: record)
        }
    }

    /// Opens it to write behind what there is; the ``HTTPError`` 404 when its file is gone.
    func open(_ record: UploadRecord) throws -> FileWriter {
        do throws(Errno) {
            return try root.resumePart(
                record.part, in: record.folder, byteCountMax: record.floor ?? .max)
        } catch {
            throw try failure(error, of: record)
        }
    }

    /// An upload without a file is forgotten.
    private func failure(_ error: Errno, of record: UploadRecord) throws -> any Error {
        guard error == .notFound || error == .notDirectory else { return error }
        try table.remove(record.id)
        return HTTPError(.notFound, reason: "the upload's file is gone")
    }

    // MARK: Changing

    func update(_ record: UploadRecord) throws { try table.update(record) }

    /// Lets it live on from now; written only when that makes a difference.
    func touch(_ record: inout UploadRecord, now: Int64) throws {
        guard now + lifetime - record.expiry > max(1, lifetime / 20) else { return }
        record.expiry = now + lifetime
        try table.update(record)
    }

    /// Notes that it has got its name: who missed the answer can still ask.
    func finish(_ record: inout UploadRecord, _ outcome: UploadRecord.Outcome, now: Int64) throws {
        record.outcome = outcome
        record.attempt = nil
        record.floor = nil
        record.expiry = now + min(lifetime, Self.outcomeLifetime)
        try table.update(record)
    }

    private static let outcomeLifetime: Int64 = 3600
    private static let outcomeCountMax = 10_000

    /// Removes it, with its bytes.
    func remove(_ record: UploadRecord) throws {
        if record.outcome == nil {
            switch root.removePart(record.part, in: record.folder) {
            // It may be gone already, and its folder, too.
            case .success, .failure(.notFound), .failure(.notDirectory): break
            case .failure(let error): throw error
            }
        }
        try table.remove(record.id)
    }

    private static let retryPause: Int64 = 600

    /// Removes what has expired, at most once a second.
    func removeExpired(_ now: Int64) throws {
        let isDue = sweptAt.withLock { sweptAt in
            defer { sweptAt = now }
            return sweptAt != now
        }
        guard isDue else { return }
        for record in try table.expired(at: now, countMax: Self.sweptCountMax)
        where !gate.isTaken(record.id) {
            do {
                try remove(record)
            } catch {
                // A disk that refuses now may not later; nobody's request fails by it.
                var kept = record
                kept.expiry = now + Self.retryPause
                try table.update(kept)
            }
        }
    }
}
