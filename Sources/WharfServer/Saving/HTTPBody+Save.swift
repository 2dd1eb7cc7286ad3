import WharfHTTP
import WharfNet

extension HTTPBody {
    /// Stores the body as a file in a folder.
    ///
    ///     router.on(.put, "/photos/{name}", bodyMax: 1 << 30) { request in
    ///         let name = try request.parameters.require("name")
    ///         let saved = try await request.body.save(into: "/srv/photos", named: name)
    ///         return .text("\(saved.name)\n", status: .created)
    ///     }
    ///
    /// The file is seen when all of the body has been received; else nothing is left of it. Of a
    /// name that is a path the last part counts, and one that is dangerous is refused (400). The
    /// body's bound is the route's. Throws the ``HTTPError`` to be answered: 409 for a name that is
    /// taken, 507 for a full disk.
    public func save(
        into folder: String, named name: String, ifTaken taken: TakenName = .refuse
    ) async throws -> SavedFile {
        let reception = FileReception(pool: pool)
        let file = try await reception.begin(
            folder: folder, name: name, taken: taken, length: length)
        do {
            try await relay { try file.writer.write($0) }
            return try await reception.finish(file)
        } catch {
            throw await reception.giveUp(file, because: error)
        }
    }
}

/// Makes a file of what a client sends.
struct FileReception: Sendable {
    /// A file on its way.
    struct File: Sendable {
        let target: SaveTarget
        let writer: FileWriter
    }

    /// `nil` for a request without a body, which has little to do.
    let pool: BlockingPool?

    /// Begins a file; throws the ``HTTPError`` to be answered.
    func begin(folder: String, name: String, taken: TakenName, length: Int64?) async throws -> File
    {
        do {
            return try await blocking {
                let target = try SaveTarget(folder: folder, name: name, taken: taken)
                let writer = try FileWriter(in: target.folder, length: length)
                return File(target: target, writer: writer)
            }
        } catch {
            throw HTTPError.writing(error)
        }
    }

    /// Gives it its name.
    func finish(_ file: File) async throws -> SavedFile {
        try await blocking { try file.target.place(file.writer) }
    }

    /// Leaves nothing of it; returns the error to be answered.
    func giveUp(_ file: File, because error: any Error) async -> any Error {
        // What it frees takes the disk its time. Nothing is thrown.
        try? await blocking { file.writer.discard() }
        return HTTPError.writing(error)
    }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard let pool else { return try await Self.elsewhere(work) }
        return try await pool.run(work)
    }

    @concurrent
    private static func elsewhere<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try work()
    }
}
