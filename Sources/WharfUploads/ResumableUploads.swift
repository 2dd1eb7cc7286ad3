public import WharfHTTP
import WharfNet
public import WharfServer
import WharfStore

/// Takes uploads that may break off and go on later: tus 1.0 and the IETF's resumable uploads.
///
///     let share = try Share(folder: "Documents", isWritable: true)
///     router.mount("/", try ResumableUploads(share, before: DirectoryHandler(share)))
///
/// It stands before what serves the share. What it does not know it hands on, and so it does with an
/// upload when that is whole: the handler behind it is asked as if the file had come by one PUT, with
/// its rules, its conditions and the share's delegate. Uploads that are not whole have URLs below
/// `/.wharf/uploads/`, and are nobody's but the user's who began them.
///
/// tus clients begin an upload by POST on a folder's URL with `filename` in Upload-Metadata, or on
/// `/.wharf/uploads/` with a path below the share; the IETF's by PUT or POST on the file's own URL.
public struct ResumableUploads: HTTPHandler {
    let share: Share
    package let inner: any HTTPHandler
    let options: Options
    let store: UploadStore

    /// Where uploads that are not whole lie below the mount.
    static let prefix = "/.wharf/uploads/"

    /// Stands before a handler that serves the share.
    ///
    /// Throws ``UploadStateError`` if the state's folder can't be used, for instance because another
    /// process does. Uploads that were begun earlier, and that the state does not know, are removed
    /// by a thread of its own.
    public init(
        _ share: Share, before inner: any HTTPHandler, options: Options = Options()
    ) throws(UploadStateError) {
        self.share = share
        self.inner = inner
        self.options = options
        do {
            store = try UploadStore(share.root, options)
        } catch {
            throw UploadStateError(folder: options.stateFolder ?? "", error)
        }
        if share.isWritable { store.startSweeping() }
    }

    /// What the handler behind it answers, and what uploads need if the share is writable.
    public var allowedMethods: [HTTPRequest.Method] {
        guard share.isWritable else { return inner.allowedMethods }
        return inner.allowedMethods
            + [.post, .patch, .delete].filter { !inner.allowedMethods.contains($0) }
    }

    /// What the handler behind it takes.
    public var bodyMax: Int64? { inner.bodyMax }

    /// Answers what belongs to uploads, and hands on all else.
    public func respond(to request: Request) async throws -> Response {
        guard share.isWritable else { return try await inner.respond(to: request) }
        let exchange = UploadExchange(self, request)
        switch exchange.call {
        case .other: return try await inner.respond(to: request)
        case .options: return try await exchange.answerOptions()
        // Some steps in a row wait for the disk.
        case .tus(let call): return try await request.offload { try await exchange.answerTus(call) }
        case .resumable(let call, let dialect):
            return try await request.offload {
                try await exchange.answerResumable(call, dialect)
            }
        case .refused(let error): throw error
        }
    }
}

extension ResumableUploads: FrontHandler {
    /// GET and HEAD are for the handler behind, unless they ask for an upload.
    package func handsOn(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head)
            && !request.pathBelowMount.hasPrefix(Self.prefix.dropLast())
    }
}
