public import WharfHTTP
import WharfNet

extension Request {
    /// The parts of a `multipart/form-data` body, one by one, as they come.
    ///
    ///     for try await part in try request.multipartParts() {
    ///         guard let name = part.head.fileName else { continue }
    ///         try await part.save(into: "/srv/photos", named: name)
    ///     }
    ///
    /// What of a part isn't read is skipped when the next one is asked for. Throws the ``HTTPError``
    /// 415 for another type, and 400 for one that can't be read; the sequence throws 400 for a body
    /// that is malformed or cut, and 413 past a limit.
    public func multipartParts(limits: MultipartLimits = MultipartLimits()) throws
        -> MultipartParts
    {
        try refuseEncoded()
        do throws(MultipartError) {
            let boundary = try MultipartBoundary(
                contentType: fields[.contentType], limits: limits)
            return MultipartParts(
                reader: MultipartReader(boundary, limits, body, pool: exchange.server.pool))
        } catch {
            throw HTTPError(error.status, reason: error.reason)
        }
    }
}

/// The parts of a body, which can be gone through once.
public struct MultipartParts: AsyncSequence, Sendable {
    /// One part.
    public typealias Element = MultipartPart

    let reader: MultipartReader

    /// Starts, or goes on where another iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// Hands out the parts of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: MultipartReader

        /// The next part, or `nil` after the last; what is left of the one before is skipped.
        public mutating func next() async throws -> MultipartPart? { try await reader.nextPart() }
    }
}

/// A part of a body, whose data can be read once, until the next part is asked for.
public struct MultipartPart: AsyncSequence, Sendable {
    /// A piece of the data, never empty.
    public typealias Element = [UInt8]

    /// Its name, and what else was said of it.
    public let head: MultipartPartHead

    let number: Int
    let reader: MultipartReader

    /// Reads all of its data into memory.
    ///
    /// Throws ``HTTPBodyTooLarge`` if there is more than `byteCountMax`.
    public func collect(upTo byteCountMax: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await reader.nextPiece(of: number) {
            guard all.count + piece.count <= byteCountMax else {
                throw HTTPBodyTooLarge(byteCountMax: Int64(byteCountMax))
            }
            all += piece
        }
        return all
    }

    /// Stores its data as a file in a folder; see ``HTTPBody/save(into:named:ifTaken:)``.
    @discardableResult
    public func save(
        into folder: String, named name: String, ifTaken taken: TakenName = .refuse
    ) async throws -> SavedFile {
        let reception = FileReception(pool: reader.pool)
        let file = try await reception.begin(
            folder: folder, name: name, taken: taken, length: nil)
        do {
            try await reader.relay(number) { try file.writer.write($0) }
            return try await reception.finish(file)
        } catch {
            throw await reception.giveUp(file, because: error)
        }
    }

    /// Starts to read, or goes on where another iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(number: number, reader: reader)
    }

    /// Hands out the pieces of a part.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let number: Int
        let reader: MultipartReader

        /// The next piece, or `nil` after the last.
        ///
        /// Throws when the part can't be had whole, or the next one was asked for.
        public mutating func next() async throws -> [UInt8]? {
            try await reader.nextPiece(of: number)
        }
    }
}
