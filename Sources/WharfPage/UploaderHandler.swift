public import WharfHTTP
public import WharfServer

/// A page for browsers on which the folder of a share can be managed: files and folders uploaded,
/// downloaded, renamed, moved and deleted.
///
///     let share = try Share(folder: "Documents", isWritable: true, delegate: hooks)
///     router.mount("/up", UploaderHandler(share))
///
/// Browsers get the page for GET of a folder whose Accept has `text/html`, others what
/// ``DirectoryHandler`` answers. All that the page needs lies below `/.wharf/`. The six routes of
/// GCDWebUploader are answered as it did, `/list` and `/download` if they have a `path`:
///
///     GET  /list?path=/                POST /move    oldPath=/a&newPath=/b
///     GET  /download?path=/a.txt       POST /delete  path=/a
///     POST /upload   path, files[]     POST /create  path=/new
///
/// A request that changes something and comes from a page of another site is refused by the
/// server's ``Protection``.
public struct UploaderHandler: HTTPHandler {
    fileprivate let site: PageSite

    /// Makes a page of a share.
    public init(_ share: Share, options: PageOptions = PageOptions()) {
        site = PageSite(share, options, changes: DirectChanges(share: share))
    }

    /// GET, HEAD and POST, and PUT if the share can be written to.
    public var allowedMethods: [HTTPRequest.Method] { site.files.allowedMethods + [.post] }

    /// What the share takes.
    public var bodyMax: Int64? { site.files.bodyMax }

    /// Answers what belongs to the page, and files.
    public func respond(to request: Request) async throws -> Response {
        if let response = try await site.respond(to: request) { return response }
        return try await site.files.respond(to: request)
    }
}

extension UploaderHandler: ReadingHandler {
    package func onlyReads(_ request: Request) -> Bool { site.onlyReads(request) }
}
