public import WharfHTTP
public import WharfServer
public import WharfWebDAV

/// A share for people and their machines on one URL: a page for browsers, on which a folder can be
/// managed, and a drive for clients of WebDAV.
///
///     let share = try Share(folder: "Documents", isWritable: true)
///     router.mount("/", try ShareHandler(share, title: "My iPad"))
///
/// Browsers get the page for GET of a folder whose Accept has `text/html`, others what
/// ``WebDAVHandler`` answers. All that the page needs lies below `/.wharf/`; the routes of
/// GCDWebUploader are answered, too (see ``UploaderHandler``). Everything goes through the share,
/// its delegate and, if something is changed, the drive's locks.
public struct ShareHandler: HTTPHandler {
    fileprivate let site: PageSite
    private let drive: WebDAVHandler

    /// Makes a page and a drive of a share.
    ///
    /// Throws ``WebDAVStateError`` if the folder for the drive's state can't be used.
    public init(
        _ share: Share, options: PageOptions = PageOptions(),
        drive driveOptions: WebDAVHandler.Options = WebDAVHandler.Options()
    ) throws(WebDAVStateError) {
        let files = PageSite.fileOptions(options, of: share)
        drive = try WebDAVHandler(share, files: files, options: driveOptions)
        site = PageSite(share, options, changes: DriveChanges(drive: drive))
    }

    /// The same with nothing said but what the folder is called.
    public init(_ share: Share, title: String) throws(WebDAVStateError) {
        var options = PageOptions()
        options.title = title
        try self.init(share, options: options)
    }

    /// All that the drive answers, and POST.
    public var allowedMethods: [HTTPRequest.Method] { drive.allowedMethods + [.post] }

    /// What the drive takes.
    public var bodyMax: Int64? { drive.bodyMax }

    /// Answers what belongs to the page, and has the drive answer the rest.
    public func respond(to request: Request) async throws -> Response {
        if let response = try await site.respond(to: request) { return response }
        return try await drive.respond(to: request)
    }
}

extension ShareHandler: ReadingHandler {
    package func onlyReads(_ request: Request) -> Bool { site.onlyReads(request) }
}
