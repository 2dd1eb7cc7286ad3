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
        try checkPut(request.fields)
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
    /// `admit` throws what keeps it from being written, before anything of it is asked for or stored.
    /// Throws the ``HTTPError`` to be answered.
    package func write(
        _ request: Request, to path: [UInt8], _ content: UploadContent = UploadContent(),
        _ companion: ChangeCompanion = ChangeCompanion(),
        admit: @escaping @Sendable () throws -> Void = {}
    ) async throws -> StoredUpload {
        try checkWritable()
        try checkFile(path)
        try checkLength(request.body.length ?? 0)
        if let bytes = try await smallBody(of: request) {
            return try await write(bytes, request, path, content, companion, admit)
        }
        let upload = try await offload(request) { [self] in
            try admit()
            return try begin(request, path, content)
        }
        do {
            if !upload.isStaged {
                try await request.body.relay { [self] bytes in
                    try checkLength(upload.writer.byteCount + Int64(bytes.count))
                    try upload.append(bytes)
                }
            } else if upload.isObserved {
                let pool = request.exchange.server.pool
                try await pool.run { try upload.writer.forEachBlock { upload.observe($0) } }
            }
            let digest = try upload.digests?.check(request)
            let placed = try await finish(upload, request, path, companion)
            return StoredUpload(status: placed.status, isNew: placed.isNew, digest: digest)
        } catch {
            // What was received before is not ours to throw away.
            guard !upload.isStaged else { throw HTTPError.writing(error) }
            let pool = request.exchange.server.pool
            // What it frees takes the disk its time. Nothing is thrown.
            try? await pool.run { upload.writer.discard() }
            throw HTTPError.writing(error)
        }
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
                var upload = Upload(place: place, writer: file.writer)
                upload.replaces = taken == .replace
                _ = try await finish(upload, request, path, ChangeCompanion())
                return path
            } catch let error as Errno where error == .exists && number < lastNumber {
                continue
            } catch {
                throw HTTPError.writing(error)
            }
        }
        throw HTTPError(.conflict, reason: "a file's name is taken")
    }

    /// A body that is taken into memory, since it costs less to write it in one go: `nil` if it is
    /// long, or the client waits to be told whether it is wanted.
    private func smallBody(of request: Request) async throws -> [UInt8]? {
        guard delegate == nil, request.body.staged == nil, !request.fields.contains(.expect),
            let length = request.body.length, length <= Int64(Self.smallMax)
        else { return nil }
        return try await request.body.collect(upTo: Self.smallMax)
    }

    private static let smallMax = 64 << 10

    private func write(
        _ bytes: [UInt8], _ request: Request, _ path: [UInt8], _ content: UploadContent,
        _ companion: ChangeCompanion, _ admit: @escaping @Sendable () throws -> Void
    ) async throws -> StoredUpload {
        try await offload(request) { [self] in
            try admit()
            let upload = try begin(request, path, content)
            do {
                try upload.append(bytes.span)
                let digest = try upload.digests?.check(request)
                let placed = try place(upload, request, path, companion)
                return StoredUpload(status: placed.status, isNew: placed.isNew, digest: digest)
            } catch {
                upload.writer.discard()
                throw error
            }
        }
    }

    private func offload<Value: Sendable>(
        _ request: Request, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await request.offload(work)
        } catch {
            throw HTTPError.writing(error)
        }
    }

    /// Throws what a PUT of a file would be refused for by its path and fields alone.
    package func checkUpload(_ path: [UInt8], _ fields: HTTPFields) throws {
        try checkWritable()
        try checkFile(path)
        try checkPut(fields)
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

    private func checkPut(_ fields: HTTPFields) throws {
        // RFC 9110 §14.5: a part must not be taken for the whole.
        guard !fields.contains(.contentRange) else {
            throw HTTPError(.badRequest, reason: "PUT of a part of a file")
        }
        // RFC 9110 §8.4: stored as it is, the file would be another one than was meant.
        guard fields[.contentEncoding]?.lowercased() ?? "identity" == "identity" else {
            throw HTTPError(
                .unsupportedMediaType, reason: "PUT of an encoded file",
                fields: [.acceptEncoding: "identity"])
        }
    }

    /// For the pool.
    private func begin(_ request: Request, _ path: [UInt8], _ content: UploadContent) throws
        -> Upload
    {
        let place = try root.place(of: path).get()
        let existing = try place.status().get()
        if existing?.kind == .folder { throw Errno.isDirectory }
        try check(request.head, against: existing, at: path)
        if content.isWhole, let staged = request.body.staged?.writer {
            return Upload(place: place, writer: staged, content, request, isStaged: true)
        }
        let length = content.isWhole ? request.body.length : nil
        let writer = try FileWriter(in: place.folder, length: length)
        let upload = Upload(place: place, writer: writer, content, request)
        do {
            try content.begin(writer)
        } catch {
            writer.discard()
            throw error
        }
        return upload
    }

    private func finish(
        _ upload: Upload, _ request: Request, _ path: [UInt8], _ companion: ChangeCompanion
    ) async throws -> FileWriter.Placed {
        let pool = request.exchange.server.pool
        var described = describe(upload, path, isReplacing: false)
        if delegate != nil {
            let existing = try await pool.run { try upload.place.status().get() }
            described = describe(upload, path, isReplacing: existing != nil)
            try await ask(request) { [described] in
                try await $0.shouldUpload(described, for: request)
            }
        }
        let placed = try await pool.run { [self] in try place(upload, request, path, companion) }
        await tell(request) { [described] in await $0.didUpload(described, for: request) }
        return placed
    }

    /// Gives the file its name; for the pool.
    private func place(
        _ upload: Upload, _ request: Request, _ path: [UInt8], _ companion: ChangeCompanion
    ) throws -> FileWriter.Placed {
        try upload.content.end(upload.writer)
        return try change {
            try check(request.head, against: upload.place.status().get(), at: path)
            try companion.before()
            let placed: FileWriter.Placed
            do {
                placed = try upload.writer.place(
                    at: upload.place, replaces: upload.replaces,
                    syncs: options.syncsUploads, modificationTime: upload.content.modificationTime)
            } catch {
                companion.failed()
                throw error
            }
            try upload.content.placed(placed)
            try companion.after()
            return placed
        }
    }

    private func describe(_ upload: Upload, _ path: [UInt8], isReplacing: Bool) -> ShareUpload {
        ShareUpload(
            path: String(decoding: path, as: UTF8.self), byteCount: upload.writer.byteCount,
            isReplacing: isReplacing, temporaryPath: upload.writer.temporaryPath)
    }

    /// Judges the conditions of a request against what lies at a path; throws 412.
    ///
    /// It waits for the disk: for the pool only.
    package func check(
        _ head: HTTPRequest, against existing: @autoclosure () throws -> FileStatus?,
        at path: [UInt8]
    ) throws {
        let fields = head.headerFields
        guard
            fields.contains(.ifMatch) || fields.contains(.ifNoneMatch)
                || fields.contains(.ifUnmodifiedSince)
        else { return }
        let existing = try existing()
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
