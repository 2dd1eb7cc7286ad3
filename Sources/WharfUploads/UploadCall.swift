import WharfHTTP
import WharfServer

/// What a request means for uploads: found out from its method, its fields and where it goes.
enum UploadCall: Sendable {
    /// Nothing: it is for the handler behind.
    case other
    case options
    case tus(Tus)
    case resumable(Resumable, ResumableDialect)
    case refused(HTTPError)

    /// What tus clients ask.
    enum Tus: Sendable, Hashable {
        case create
        case head, append, terminate

        /// The version that is spoken.
        static let version = "1.0.0"
    }

    /// What clients of the IETF's resumable uploads ask.
    enum Resumable: Sendable, Hashable {
        case create(isComplete: Bool)
        case head
        case append(isComplete: Bool)
        case cancel
    }

    /// Where a request goes.
    enum Place: Sendable, Hashable {
        /// To an upload.
        case upload
        /// To where uploads lie.
        case collection
        case elsewhere
    }

    static let allow = "OPTIONS, HEAD, GET, PATCH, DELETE"
    static let tusType = "application/offset+octet-stream"
    static let resumableType = "application/partial-upload"

    /// The table: which of the protocols that share one URL is meant.
    init(_ method: HTTPRequest.Method, _ fields: HTTPFields, at place: Place) {
        let method = Self.meant(method, fields)
        do {
            switch place {
            case .upload: self = try Self.ofUpload(method, fields)
            case .collection, .elsewhere: self = try Self.ofTarget(method, fields, at: place)
            }
        } catch let error as HTTPError {
            self = .refused(error)
        } catch {
            self = .refused(HTTPError(.badRequest, reason: "Upload-Complete is malformed"))
        }
    }

    /// What begins an upload, or has nothing to do with one.
    private static func ofTarget(
        _ method: HTTPRequest.Method, _ fields: HTTPFields, at place: Place
    ) throws -> UploadCall {
        if method == .options { return .options }
        if method == .post, let version = fields[.tusResumable] {
            return .tus(try checked(version, .create))
        }
        if place == .collection { throw HTTPError(.notFound) }
        if method == .put || method == .post,
            let isComplete = try ResumableDialect.completeness(fields)
        {
            return .resumable(.create(isComplete: isComplete), ResumableDialect(fields))
        }
        // `application/x-sabredav-partialupdate` and all else.
        return .other
    }

    private static func ofUpload(_ method: HTTPRequest.Method, _ fields: HTTPFields) throws
        -> UploadCall
    {
        let version = fields[.tusResumable]
        switch method {
        case .options: return .options
        case .patch: return try append(fields, version)
        case .head, .get, .delete:
            if let version {
                return .tus(try checked(version, method == .delete ? .terminate : .head))
            }
            return .resumable(method == .delete ? .cancel : .head, ResumableDialect(fields))
        default: throw HTTPError(.methodNotAllowed, fields: [.allow: allow])
        }
    }

    private static func append(_ fields: HTTPFields, _ version: String?) throws -> UploadCall {
        let type = fields[.contentType].flatMap { MediaType($0) }?.essence
        let dialect = ResumableDialect(fields)
        if type == tusType { return .tus(try checked(version, .append)) }
        // Up to the number 5 the body had no media type of its own.
        guard type == resumableType || !dialect.hasLimits, version == nil else {
            throw HTTPError(
                .unsupportedMediaType, reason: "PATCH of \(type ?? "no type")",
                fields: [.acceptPatch: "\(tusType), \(resumableType)"])
        }
        guard let isComplete = try ResumableDialect.completeness(fields) else {
            throw HTTPError(.badRequest, reason: "Upload-Complete is missing")
        }
        return .resumable(.append(isComplete: isComplete), dialect)
    }

    // tus: for clients that can't send PATCH and DELETE. Only a POST may mean them: what is asked
    // about a reader's right to write was the method on the wire.
    private static func meant(_ method: HTTPRequest.Method, _ fields: HTTPFields)
        -> HTTPRequest.Method
    {
        guard method == .post, fields.contains(.tusResumable),
            let name = fields[.xHTTPMethodOverride]
        else { return method }
        return HTTPRequest.Method(name) ?? method
    }

    private static func checked(_ version: String?, _ call: Tus) throws -> Tus {
        guard version == Tus.version else {
            throw HTTPError(
                .preconditionFailed, reason: "tus version \(version ?? "missing")",
                fields: [.tusVersion: Tus.version, .tusResumable: Tus.version])
        }
        return call
    }
}
