public import WharfHTTP
import WharfNet
public import WharfServer
import WharfStore

/// A share as a drive: WebDAV class 1, 2 and 3 (RFC 4918), with RFC 5689's MKCOL and RFC 4331's quotas.
///
///     let share = try Share(folder: "Documents", isWritable: true)
///     router.mount("/", try WebDAVHandler(share))
///
/// GET and HEAD are answered as ``DirectoryHandler`` does, so that one URL is a page for browsers and
/// a drive for Finder, Explorer and programs. Locks, and properties that clients set, are kept in
/// memory, or in a folder outside of the share if ``Options/stateFolder`` names one.
public struct WebDAVHandler: HTTPHandler {
    let share: Share
    package let options: Options
    /// What browsers see.
    let pages: DirectoryHandler
    /// What the drive's clients see.
    let files: DirectoryHandler
    let state: DriveState

    /// Makes a drive of a share, which browsers see as `files` has it.
    ///
    /// Throws ``WebDAVStateError`` if the state's folder can't be used, for instance because another
    /// process does.
    public init(
        _ share: Share, files: DirectoryHandler.Options = DirectoryHandler.Options(),
        options: Options = Options()
    ) throws(WebDAVStateError) {
        self.share = share
        self.options = options
        pages = DirectoryHandler(share, options: files)
        var seen = files
        seen.showsHidden = options.showsHidden ?? (share.isWritable || files.showsHidden)
        self.files = DirectoryHandler(share, options: seen)
        do {
            state = try DriveState(
                folder: options.stateFolder, root: self.files,
                now: System.withoutLoop.unixTime())
        } catch {
            throw WebDAVStateError(folder: options.stateFolder ?? "", error)
        }
    }

    /// All that it answers somewhere.
    public var allowedMethods: [HTTPRequest.Method] {
        guard share.isWritable else { return Self.reading }
        return options.allowsPartialWrites ? Self.all + [.patch] : Self.all
    }

    /// What answers GET and HEAD: pages that list no hidden names, unless one is asked for.
    func reader(of path: ResourcePath) -> DirectoryHandler {
        pages.hides(path.bytes) ? files : pages
    }

    /// What the share takes, and at least what XML may be long.
    public var bodyMax: Int64? { files.bodyMax.map { max($0, Int64(options.xmlByteCountMax)) } }

    static let reading: [HTTPRequest.Method] = [.options, .get, .head, .propfind]
    static let all: [HTTPRequest.Method] =
        reading + [.put, .delete, .mkcol, .copy, .move, .proppatch, .lock, .unlock]

    /// Answers every method of WebDAV, and GET and HEAD; for others it throws 405 or 501.
    public func respond(to request: Request) async throws -> Response {
        do {
            return finished(try await answer(request))
        } catch {
            return try refusal(error, request)
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        if request.method == .options { return options(request) }
        guard allowedMethods.contains(request.method) else {
            guard request.method.isKnown else {
                throw HTTPError(.notImplemented, reason: "unknown method")
            }
            throw HTTPError(.methodNotAllowed, fields: [.allow: allow])
        }
        let exchange = try await WebDAVExchange(self, request).resolved()
        switch request.method {
        case .propfind: return try await exchange.propfind()
        case .proppatch: return try await exchange.proppatch()
        case .mkcol: return try await exchange.mkcol()
        case .put: return try await exchange.put()
        case .delete: return try await exchange.delete()
        case .copy: return try await exchange.copy()
        case .move: return try await exchange.move()
        case .lock: return try await exchange.lock()
        case .unlock: return try await exchange.unlock()
        case .patch: return try await exchange.patch()
        default: return try await exchange.get()
        }
    }

    /// The one place where an error of WebDAV's becomes an answer.
    private func refusal(_ error: any Error, _ request: Request) throws -> Response {
        switch error {
        case let error as WebDAVError:
            guard let body = error.body else {
                throw failure(HTTPError(error.status, reason: error.reason))
            }
            var response = Response.bytes(
                body, contentType: Response.xmlType, status: error.status)
            add(to: &response.fields)
            return response
        case let error as XMLError:
            if error == .documentType {
                return try refusal(WebDAVError(.forbidden, .noExternalEntities), request)
            }
            let isLarge = error == .tooLarge || error == .tooMany || error == .tooDeep
            let status: HTTPResponse.Status = isLarge ? .contentTooLarge : .badRequest
            throw failure(HTTPError(status, reason: "XML: \(error)"))
        case let error as StoreError:
            if error.isFull {
                return try refusal(
                    WebDAVError(.insufficientStorage, .sufficientDiskSpace), request)
            }
            throw failure(HTTPError(.internalServerError, reason: "the store: \(error)"))
        case let error as HTTPError:
            throw failure(error)
        case let error as Errno:
            throw failure(HTTPError(opening: error))
        default:
            throw error
        }
    }

    func failure(_ error: HTTPError) -> HTTPError {
        var error = error
        add(to: &error.fields)
        return error
    }

    func finished(_ response: Response) -> Response {
        var response = response
        add(to: &response.fields)
        // What leads to a folder's path with a slash.
        if let location = response.fields[.location], location.hasPrefix("/") {
            response.fields[.location] = options.basePath + location
        }
        return response
    }

    // Finder and Office look at these in every answer, and mount a drive to read only without.
    private func add(to fields: inout HTTPFields) {
        fields[.dav] = compliance
        fields[.msAuthorVia] = "DAV"
    }

    private var compliance: String {
        guard share.isWritable else { return "1, 3" }
        let partial = options.allowsPartialWrites ? ", sabredav-partialupdate" : ""
        return "1, 2, 3, extended-mkcol" + partial
    }

    var allow: String { allowedMethods.map(\.rawValue).joined(separator: ", ") }
}
