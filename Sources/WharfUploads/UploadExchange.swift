import WharfHTTP
import WharfNet
import WharfServer
import WharfStore

/// One request to do with uploads.
///
/// What it does with files and the store is for the server's pool: see `offload`.
struct UploadExchange: Sendable {
    let uploads: ResumableUploads
    let request: Request
    /// The path below the mount.
    let path: Substring
    /// Seconds since 1970.
    let now: Int64

    init(_ uploads: ResumableUploads, _ request: Request) {
        self.uploads = uploads
        self.request = request
        let rest = request.pathBelowMount
        path = rest.isEmpty ? "/" : rest
        now = request.unixTime
    }

    var share: Share { uploads.share }
    var store: UploadStore { uploads.store }
    var fields: HTTPFields { request.fields }
    var owner: String? { request.user?.name }

    /// What it means.
    var call: UploadCall { UploadCall(request.method, fields, at: place) }

    var place: UploadCall.Place {
        guard path.hasPrefix(ResumableUploads.prefix.dropLast()) else { return .elsewhere }
        let rest = path.dropFirst(ResumableUploads.prefix.count - 1)
        if rest.isEmpty || rest == "/" { return .collection }
        return rest.first == "/" ? .upload : .elsewhere
    }

    /// The last part of the upload's URL.
    var id: String { String(path.dropFirst(ResumableUploads.prefix.count)) }

    /// The URL of an upload.
    ///
    /// It has a host, as some clients (aiotus) can't do with less. Browsers can, and know better
    /// than we do whether a proxy before us speaks TLS.
    func location(of id: String) -> String {
        let path = href(ResumableUploads.prefix + id)
        guard !fields.contains(.origin), let authority = request.authority else { return path }
        return "\(request.scheme)://\(authority)\(path)"
    }

    /// What a client calls a path below the mount.
    func href(_ path: String) -> String {
        let mount = PercentEncoding.encode(request.mountPath, for: .path)
        return uploads.options.basePath + mount + path
    }

    // MARK: Steps

    /// Runs what waits for the disk, and makes answers of what fails there.
    func offload<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        do {
            return try await request.offload(work)
        } catch {
            throw Self.failure(error)
        }
    }

    /// The one place where an error becomes the one to be answered.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case let error as Errno: HTTPError(writing: error)
        case let error as StoreError:
            HTTPError(
                error.isFull ? .insufficientStorage : .internalServerError,
                reason: "the store: \(error)")
        default: error
        }
    }

    /// Lets a closure have an upload that no other request has; an older one is ended.
    func withUpload<Value: Sendable>(
        _ body: (UploadRecord) async throws -> Value
    ) async throws -> Value {
        let id = id
        // Before the gate: nobody may end a request by guessing, nor with another's login.
        _ = try await offload { [store, owner, now] in
            try store.find(id, owner: owner, now: now)
        }
        return try await holding(id) {
            let record = try await offload { [store, owner, now] in
                try store.find(id, owner: owner, now: now)
            }
            return try await body(record)
        }
    }

    /// Keeps other requests away from an upload.
    func holding<Value: Sendable>(_ id: String, _ body: () async throws -> Value) async throws
        -> Value
    {
        try await store.gate.enter(id, request.body)
        defer { store.gate.leave(id) }
        return try await body()
    }

    // MARK: Room

    /// Bytes that one file may have.
    var uploadMax: Int64? { share.options.uploadMax }

    /// Refuses what is known to be too long: 413.
    func checkLength(_ count: Int64) throws {
        if let uploadMax, count > uploadMax { throw HTTPBodyTooLarge(byteCountMax: uploadMax) }
    }
}
