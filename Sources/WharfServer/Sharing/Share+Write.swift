package import WharfHTTP
package import WharfNet

/// How a file gets into a share.
extension Share {
    /// Writes the body of a PUT to a path below the folder, and answers it: 201 for a new file, 204
    /// for one that was replaced, with its version.
    ///
    /// The conditions of the request are judged before anything of the body is read or asked for,
    /// and again when the file gets its name. Throws the ``HTTPError`` to be answered.
    package func put(_ request: Request, at path: [UInt8]) async throws -> Response {
        try checkPut(request)
        let stored = try await write(request, to: path)
        let validators = FileValidators(stored.status, now: root.system.unixTime())
        // RFC 9110 §9.3.4: with a version, since the body was stored as it came.
        var fields: HTTPFields = [.eTag: validators.eTag, .lastModified: validators.lastModified]
        fields[.reprDigest] = stored.digest
        return Response(status: stored.isNew ? .created : .noContent, fields: fields)
    }

    /// Writes the body of a request to a path below the folder.
    ///
    /// The file is seen when it is complete; else nothing of it is left, and what was there before
    /// stays. Digests that came with it are compared before (RFC 9530): 400 when one is another.
    /// `mayPlace` throws if the file must not get its name after all; it runs on the pool.
    /// Throws the ``HTTPError`` to be answered.
    package func write(
        _ request: Request, to path: [UInt8], mayPlace: @escaping @Sendable () throws -> Void = {}
    ) async throws -> Stored {
        try checkWritable()
        let digests = RequestDigests(request)
        try checkFile(path)
        let upload = try await begin(request, path)
        do {
            if request.body.staged == nil {
                try await request.body.relay { [self] bytes in
                    try checkLength(upload.writer.byteCount + Int64(bytes.count))
                    digests?.update(bytes)
                    try upload.writer.write(bytes)
                }
            } else if let digests {
                let pool = request.exchange.server.pool
                try await pool.run { try upload.writer.forEachBlock { digests.update($0) } }
            }
            let digest = try digests?.check(request)
            let replaces = request.fields[.ifNoneMatch] != "*"
            let placed = try await finish(upload, request, path, replaces: replaces, mayPlace)
            return Stored(status: placed.status, isNew: placed.isNew, digest: digest)
        } catch {
            // What was received before is not ours to throw away.
            guard request.body.staged == nil else { throw HTTPError.writing(error) }
            let pool = request.exchange.server.pool
            // What it frees takes the disk its time. Nothing is thrown.
            try? await pool.run { upload.writer.discard() }
            throw HTTPError.writing(error)
        }
    }

    /// What became of a file that was written.
    package struct Stored: Sendable {
        package let status: FileStatus
        /// Whether nothing had its name before.
        package let isNew: Bool
        /// The value of Repr-Digest, if the client wants one.
        package let digest: String?
    }

    /// Gives a file of a form its name below the folder, and says which path it got.
    ///
    /// With ``TakenName/number`` it may be another than was asked for. Throws the ``HTTPError`` to be
    /// answered: 412 if something has the name and is to stay.
    package func take(
        _ file: UploadedFile, to path: [UInt8], ifTaken taken: TakenName, for request: Request
    ) async throws -> [UInt8] {
        try checkWritable()
        try checkFile(path)
        try checkLength(file.byteCount)
        let lastNumber = taken == .number ? SaveTarget.numberMax : 0
        let name = String(decoding: path, as: UTF8.self)
        for number in 0...lastNumber {
            let path = Array(FileName.numbered(name, number).utf8)
            do {
                let place = try await request.offload { [self] in
                    try root.place(of: path).get()
                }
                if lastNumber > 0, try await request.offload({ try place.status().get() }) != nil {
                    continue
                }
                let upload = Upload(place: place, writer: file.writer)
                _ = try await finish(upload, request, path, replaces: taken == .replace) {}
                return path
            } catch let error as Errno where error == .exists && number < lastNumber {
                continue
            } catch {
                throw HTTPError.writing(error)
            }
        }
        throw HTTPError(.conflict, reason: "a file's name is taken")
    }

    private struct Upload: Sendable {
        let place: NamePlace
        let writer: FileWriter
    }

    func checkWritable() throws {
        guard isWritable else { throw HTTPError(.forbidden, reason: "the share is read-only") }
    }

    /// The bound of what the share is mounted at may be a larger one.
    private func checkLength(_ count: Int64) throws {
        if let uploadMax = options.uploadMax, count > uploadMax {
            throw HTTPBodyTooLarge(byteCountMax: uploadMax)
        }
    }

    private func checkPut(_ request: Request) throws {
        // RFC 9110 §14.5: a part must not be taken for the whole.
        guard !request.fields.contains(.contentRange) else {
            throw HTTPError(.badRequest, reason: "PUT of a part of a file")
        }
        // RFC 9110 §8.4: stored as it is, the file would be another one than was meant.
        guard request.fields[.contentEncoding]?.lowercased() ?? "identity" == "identity" else {
            throw HTTPError(
                .unsupportedMediaType, reason: "PUT of an encoded file",
                fields: [.acceptEncoding: "identity"])
        }
    }

    private func begin(_ request: Request, _ path: [UInt8]) async throws -> Upload {
        let length = request.body.length
        try checkLength(length ?? 0)
        do {
            return try await request.offload { [self] in
                let place = try root.place(of: path).get()
                let existing = try place.status().get()
                if existing?.kind == .folder { throw Errno.isDirectory }
                try check(request.head, against: existing, at: path)
                let staged = request.body.staged?.writer
                return Upload(
                    place: place,
                    writer: try staged ?? FileWriter(in: place.folder, length: length))
            }
        } catch {
            throw HTTPError.writing(error)
        }
    }

    private func finish(
        _ upload: Upload, _ request: Request, _ path: [UInt8], replaces: Bool,
        _ mayPlace: @escaping @Sendable () throws -> Void
    ) async throws -> FileWriter.Placed {
        let pool = request.exchange.server.pool
        let writer = upload.writer
        var described = describe(upload, path, isReplacing: false)
        if delegate != nil {
            let existing = try await pool.run { try upload.place.status().get() }
            described = describe(upload, path, isReplacing: existing != nil)
            try await ask(request) { [described] in
                try await $0.shouldUpload(described, for: request)
            }
        }
        let placed = try await pool.run { [self] in
            try change {
                try mayPlace()
                try check(request.head, against: upload.place.status().get(), at: path)
                return try writer.place(
                    at: upload.place, replaces: replaces, syncs: options.syncsUploads)
            }
        }
        await tell(request) { [described] in await $0.didUpload(described, for: request) }
        return placed
    }

    private func describe(_ upload: Upload, _ path: [UInt8], isReplacing: Bool) -> ShareUpload {
        ShareUpload(
            path: String(decoding: path, as: UTF8.self), byteCount: upload.writer.byteCount,
            isReplacing: isReplacing, temporaryPath: upload.writer.temporaryPath)
    }

    /// Judges the conditions of a request against what lies at a path; throws 412.
    ///
    /// It waits for the disk: for the pool only.
    package func check(_ head: HTTPRequest, against existing: FileStatus?, at path: [UInt8]) throws
    {
        let fields = head.headerFields
        guard
            fields.contains(.ifMatch) || fields.contains(.ifNoneMatch)
                || fields.contains(.ifUnmodifiedSince)
        else { return }
        var status = existing
        // A client has seen what the link leads to.
        if existing?.kind == .symbolicLink {
            status = try? root.open(path, cachedOnly: false).get().status
        }
        let validators = status.map { FileValidators($0, now: root.system.unixTime()) }
        let outcome = Preconditions.evaluate(
            head, exists: existing != nil,
            eTag: validators.flatMap { EntityTag(parsing: $0.eTag) },
            lastModified: status.map { HTTPDate(unixSeconds: $0.modificationSeconds) })
        guard outcome == .proceed else { throw HTTPError(.preconditionFailed) }
    }
}
