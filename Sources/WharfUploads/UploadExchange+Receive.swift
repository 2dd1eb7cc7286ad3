import WharfCrypto
import WharfHTTP
import WharfNet
import WharfServer

/// How the bytes of a request get behind those of an upload.
extension UploadExchange {
    /// Writes the request's body behind what a writer has, and returns the new offset.
    ///
    /// When the body breaks off, what has come of it stays, and counts. With a checksum nothing of it
    /// stays then, nor when the checksum is another; and nothing stays of a body that goes further
    /// than the upload may (413).
    func receive(
        into writer: FileWriter, _ record: inout UploadRecord, _ checksum: ExpectedChecksum? = nil
    ) async throws -> Int64 {
        let start = writer.byteCount
        let bound = try await bound(of: record)
        if let count = request.body.length, count > bound - start {
            throw HTTPBodyTooLarge(byteCountMax: bound)
        }
        if let count = request.body.length {
            // A full disk is told of before anything is sent; but no client reserves more than that
            // by a word.
            try await offload { try writer.reserve(start + min(count, Self.reservedMax)) }
        }
        // What an earlier one has left, when the process ended before it was checked, is gone by now.
        if checksum != nil || record.floor != nil {
            try await setFloor(checksum == nil ? nil : start, &record)
        }
        let hashes = (checksum?.algorithms ?? []).map { RunningHash($0) }
        do {
            try await request.body.relay(keepsRest: true) { bytes in
                guard Int64(bytes.count) <= bound - writer.byteCount else {
                    throw HTTPBodyTooLarge(byteCountMax: bound)
                }
                for hash in hashes { hash.update(bytes) }
                try writer.write(bytes)
            }
            try checksum?.check(hashes.map { ($0.algorithm, $0.finish()) })
        } catch {
            if checksum != nil || error is HTTPBodyTooLarge {
                try await request.pool.run { try writer.truncate(to: start) }
            }
            if checksum != nil { try await setFloor(nil, &record) }
            throw Self.failure(error)
        }
        if checksum != nil { try await setFloor(nil, &record) }
        if share.options.syncsUploads { try await request.pool.run { try writer.sync() } }
        return writer.byteCount
    }

    /// Bytes that an upload may have.
    private func bound(of record: UploadRecord) async throws -> Int64 {
        if let length = record.length { return min(length, uploadMax ?? .max) }
        let room = try await offload { [store] in
            try store.room(for: record.owner, except: record.id)
        }
        return min(room, uploadMax ?? .max)
    }

    private static var reservedMax: Int64 { 64 << 20 }

    /// Lets a closure use a writer, and closes that afterwards, whatever has come of it.
    func closing<Value: Sendable>(
        _ writer: FileWriter, _ body: () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        // What it frees takes the disk its time. Nothing is thrown.
        try? await request.pool.run { writer.suspend() }
        return try result.get()
    }

    /// Says from where on bytes do not count yet: if the process ends before they were checked, they
    /// never will.
    private func setFloor(_ floor: Int64?, _ record: inout UploadRecord) async throws {
        record.floor = floor
        let changed = record
        try await offload { [store] in try store.update(changed) }
    }
}

/// What a request's body is to be compared with.
struct ExpectedChecksum: Sendable {
    /// What has to be computed.
    let algorithms: [HashAlgorithm]
    /// Throws when a digest is another than it should be.
    let check: @Sendable ([(HashAlgorithm, [UInt8])]) throws -> Void
}
