import WharfHTTP
import WharfServer

/// What a request means for uploads: found out from its method, its fields and where it goes.
enum UploadCall: Sendable {
    /// Nothing: it is for the handler behind.
    case other
    case options
    case tus(Tus)
    case refused(HTTPError)

    /// What tus clients ask.
    enum Tus: Sendable, Hashable {
        case create
        case head, append, terminate
    }

    /// Where a request goes.
    enum Place: Sendable, Hashable {
        /// To an upload.
        case upload
        /// To where uploads lie.
        case collection
        case elsewhere
    }

    /// The table: which of the protocols that share one URL is meant.
    init(_ method: HTTPRequest.Method, _ fields: HTTPFields, at place: Place) {
        let version = fields[.tusResumable]
        let method = Self.meant(method, fields)
        switch (method, place) {
        case (.options, _):
            self = .options
        case (.post, .collection), (.post, .elsewhere):
            guard let version else {
                self = place == .collection ? .refused(HTTPError(.notFound)) : .other
                return
            }
            self = Self.checked(version, .create)
        case (_, .elsewhere):
            self = .other
        case (_, .collection):
            self = .refused(HTTPError(.notFound))
        case (.head, _), (.get, _):
            self = Self.checked(version, .head)
        case (.delete, _):
            self = Self.checked(version, .terminate)
        case (.patch, _):
            self = Self.append(fields, version)
        default:
            self = .refused(HTTPError(.methodNotAllowed, fields: [.allow: Self.allow]))
        }
    }

    static let allow = "OPTIONS, HEAD, GET, PATCH, DELETE"
    static let tusType = "application/offset+octet-stream"

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

    private static func append(_ fields: HTTPFields, _ version: String?) -> UploadCall {
        let type = fields[.contentType].flatMap { MediaType($0) }?.essence
        switch type {
        case tusType: return checked(version, .append)
        default:
            return .refused(
                HTTPError(
                    .unsupportedMediaType, reason: "PATCH of \(type ?? "no type")",
                    fields: [.acceptPatch: "\(tusType), application/partial-upload"]))
        }
    }

    private static func checked(_ version: String?, _ call: Tus) -> UploadCall {
        guard version == Tus.version else {
            return .refused(
                HTTPError(
                    .preconditionFailed, reason: "tus version \(version ?? "missing")",
                    fields: [.tusVersion: Tus.version, .tusResumable: Tus.version]))
        }
        return .tus(call)
    }
}

extension UploadCall.Tus {
    /// The version of tus that is spoken.
    static let version = "1.0.0"
}
