public import WharfHTTP
import WharfCrypto
import WharfNet

/// A file of a form, out of sight until it is moved to its place; then, or when nobody refers to it
/// any more, it is gone from here.
public final class UploadedFile: Sendable {
    /// The name of the form's field.
    public let fieldName: String
    /// The file's name as the client sent it: maybe a path, or an attack.
    public let fileName: String
    /// Its type as the client sent it, which nobody has checked; `nil` if none was sent.
    public let contentType: MediaType?
    /// Bytes.
    public let byteCount: Int64

    let writer: FileWriter
    private let pool: BlockingPool

    init(_ head: MultipartPartHead, _ writer: FileWriter, pool: BlockingPool) {
        fieldName = head.name
        fileName = head.fileName ?? ""
        contentType = head.contentType
        byteCount = writer.byteCount
        self.writer = writer
        self.pool = pool
    }

    deinit {
        // What it frees takes the disk its time, and this may be a loop.
        pool.submit { [writer] in writer.discard() }
    }

    /// Where this program can read it before it is moved; `nil` where that can't be said.
    public var temporaryPath: String? { writer.temporaryPath }

    /// Gives it a name in a folder.
    ///
    /// Without a `name` it is the last part of the one that the client sent; see
    /// ``HTTPBody/save(into:named:ifTaken:)``. Throws the ``HTTPError`` to be answered, as that does.
    @discardableResult
    public func move(
        into folder: String, named name: String? = nil, ifTaken taken: TakenName = .number
    ) async throws -> SavedFile {
        let (name, writer) = (name ?? fileName, writer)
        do {
            return try await pool.run {
                try SaveTarget(folder: folder, name: name, taken: taken).place(writer)
            }
        } catch {
            throw HTTPError.writing(error)
        }
    }

    /// Reads all of it into memory.
    ///
    /// Throws ``HTTPBodyTooLarge`` if it is longer than `byteCountMax`.
    public func bytes(upTo byteCountMax: Int) async throws -> [UInt8] {
        guard byteCount <= byteCountMax else {
            throw HTTPBodyTooLarge(byteCountMax: Int64(byteCountMax))
        }
        let writer = writer
        return try await pool.run {
            var all: [UInt8] = []
            try writer.forEachBlock { block in
                all.append(contentsOf: block)
            }
            return all
        }
    }

    /// The SHA-256 of its content, by which a copy can be told.
    public func sha256() async throws -> [UInt8] {
        let writer = writer
        return try await pool.run {
            var hash = Hash(.sha256)
            try writer.forEachBlock { hash.update($0) }
            return hash.finish()
        }
    }
}
