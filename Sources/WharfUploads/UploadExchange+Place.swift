import WharfHTTP
import WharfNet
import WharfServer

/// How an upload that is whole becomes a file.
extension UploadExchange {
    /// What the handler behind has said to an upload that was handed to it.
    struct Placement: Sendable {
        let response: Response
        /// Where the file lies, as the client calls it.
        let path: String
    }

    /// Names that are tried for a file of which another one is kept.
    static let numberMax = 9999

    /// Hands the upload on as a request whose body it is, and notes what became of it.
    ///
    /// Throws what the handler throws. An upload that it refuses for good is removed; one that it can't
    /// take now is kept for another try.
    func place(_ record: inout UploadRecord, _ writer: FileWriter) async throws -> Placement {
        guard let target = record.target else {
            return Placement(response: .status(.noContent), path: "")
        }
        do {
            let placement = try await hand(target, record, writer)
            guard placement.response.status.kind != .clientError,
                placement.response.status.kind != .serverError
            else {
                try await giveUp(record, writer, after: placement.response.status)
                return placement
            }
            let outcome = UploadRecord.Outcome(byteCount: writer.byteCount, path: placement.path)
            var finished = record
            finished = try await offload { [store, now, finished] in
                var finished = finished
                try store.finish(&finished, outcome, now: now)
                return finished
            }
            record = finished
            return placement
        } catch let error as HTTPError {
            try await giveUp(record, writer, after: error.status)
            throw error
        }
    }

    private func giveUp(
        _ record: UploadRecord, _ writer: FileWriter, after status: HTTPResponse.Status
    ) async throws {
        switch status {
        // RFC 4918 §11.3: somebody has locked it for now.
        case .locked, .requestTimeout, .tooManyRequests: return
        default: break
        }
        guard status.kind == .clientError else { return }
        try await offload { [store] in
            writer.discard()
            try store.remove(record)
        }
    }

    private func hand(
        _ target: UploadRecord.Target, _ record: UploadRecord, _ writer: FileWriter
    ) async throws -> Placement {
        guard target.clash != .replace else {
            return try await hand(target, target.path, record, writer)
        }
        let path = try RequestPath(validating: target.path)
        let last = target.clash == .keepBoth ? Self.numberMax : 0
        for number in 0...last {
            let name = FileName.numbered(
                String(decoding: path.segments.last ?? [], as: UTF8.self), number)
            let numbered = Self.encoded(path.segments.dropLast() + [Array(name.utf8)])
            do {
                let placement = try await hand(target, numbered, record, writer)
                guard placement.response.status == .preconditionFailed else { return placement }
            } catch let error as HTTPError where error.status == .preconditionFailed {
                continue
            } catch let error as HTTPError where error.status == .methodNotAllowed {
                let isFolder = try await offload { [share] in
                    share.root.hasFolder(Self.joined(numbered))
                }
                guard isFolder, number < last else { throw error }
            }
        }
        throw HTTPError(.conflict, reason: "the name of an upload is taken")
    }

    /// Asks the handler behind once.
    private func hand(
        _ target: UploadRecord.Target, _ path: String, _ record: UploadRecord, _ writer: FileWriter
    ) async throws -> Placement {
        try await offload { [store] in
            var record = record
            let inode = try writer.status().inode
            record.attempt = UploadRecord.Attempt(path: path, inode: inode)
            try store.update(record)
        }
        var head = head(of: target, at: path)
        head.headerFields[.contentLength] = "\(writer.byteCount)"
        try await makeFolders(above: path, head)
        let body = HTTPBody(staged: StagedBody(writer, pool: request.pool))
        let response = try await uploads.inner.respond(to: request.replacing(head, body: body))
        return Placement(response: response, path: path)
    }

    /// The head of the request that the handler behind is asked.
    func head(of target: UploadRecord.Target, at path: String) -> HTTPRequest {
        var head = request.head
        head.method = target.method
        head.path = PercentEncoding.encode(request.mountPath, for: .path) + path
        head.headerFields = [:]
        head.headerFields[.host] = fields[.host]
        for field in target.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            head.headerFields.append(HTTPField(name: name, value: field.value))
        }
        if target.clash != .replace { head.headerFields[.ifNoneMatch] = "*" }
        return head
    }

    /// Makes the folders that are missing above a path: those of a folder that is uploaded.
    private func makeFolders(above path: String, _ head: HTTPRequest) async throws {
        let segments = try RequestPath(validating: path).segments
        let root = share.root
        let missing = try await offload {
            (1..<max(1, segments.count)).map { Array(segments.prefix($0)) }
                .filter { !root.hasFolder(Self.joined($0)) }
        }
        for folder in missing { try await makeFolder(folder, head) }
    }

    /// Has the handler behind make a folder if it can, as a drive has locks and properties; else the
    /// share does.
    private func makeFolder(_ segments: [[UInt8]], _ head: HTTPRequest) async throws {
        var head = head
        head.method = .mkcol
        head.path = PercentEncoding.encode(request.mountPath, for: .path) + Self.encoded(segments)
        head.headerFields = [:]
        head.headerFields[.host] = fields[.host]
        let asking = request.replacing(head, body: .empty)
        var status: HTTPResponse.Status
        do {
            status = try await uploads.inner.respond(to: asking).status
        } catch let error as HTTPError {
            status = error.status
        }
        // Another upload has made it, or it is no drive: what is wrong the next step says.
        guard status == .methodNotAllowed || status == .notImplemented else {
            guard status.code < 300 else {
                throw HTTPError(status, reason: "a folder of an upload")
            }
            return
        }
        do {
            try await share.makeFolder(Self.joined(segments), for: asking)
        } catch let error as HTTPError where error.status == .methodNotAllowed {}
    }

    // MARK: Paths

    static func joined(_ segments: some Sequence<[UInt8]>) -> [UInt8] {
        Array(segments.joined(separator: [UInt8(ascii: "/")]))
    }

    /// The bytes of an encoded path below the share.
    static func joined(_ path: String) -> [UInt8] {
        joined(RequestPath(path)?.segments ?? [])
    }

    static func encoded(_ segments: some Sequence<[UInt8]>) -> String {
        segments.map { "/" + PercentEncoding.encode($0, for: .pathSegment) }.joined()
    }
}
