import WharfHTTP

/// Lets pages of other sites read what a server answers (Fetch §3.2, "CORS").
///
///     router.use(CORS(.init(sites: .these(["https://app.example.org"]))))
///
/// Without it a browser keeps answers from them. Put it before ``Authentication``: a browser asks
/// without a login whether it may ask (a preflight), and a page can't read a 401 without it. It
/// lets nobody write whom ``Protection`` keeps from it: those origins have to be named there too.
public struct CORS: HTTPMiddleware {
    private let options: Options
    /// `nil`: any.
    private let origins: Set<Origin>?
    private let methods: String
    private let requestFields: String?
    private let exposedFields: String

    /// Makes it of options.
    public init(_ options: Options) {
        self.options = options
        switch options.sites {
        case .any: origins = nil
        case .these(let texts): origins = Set(texts.compactMap { Origin($0) })
        }
        // CONNECT and TRACE are forbidden to pages (Fetch §2.2.1).
        let known = HTTPRequest.Method.known.filter { $0 != .connect && $0 != .trace }
        methods = (options.methods ?? known).map(\.rawValue).joined(separator: ", ")
        requestFields = options.requestFields?.map(\.rawName).joined(separator: ", ")
        exposedFields = options.exposedFields.map(\.rawName).joined(separator: ", ")
    }

    /// Answers a browser's question, and says with other answers who may read them.
    public func respond(to request: Request, next: Next) async throws -> Response {
        let permission = permission(for: request)
        if let permission, request.isPreflight { return answer(to: request, permission) }
        do {
            return try await next(request).adding(fields(permission), vary: vary)
        } catch {
            throw ErrorWithFields(error, fields: fields(permission), vary: vary)
        }
    }

    /// A cache must not give one site's answer to another, nor an answer to nobody's page.
    private var vary: String? { origins == nil ? nil : "Origin" }

    private func fields(_ permission: String?) -> HTTPFields {
        var fields: HTTPFields = [:]
        guard let permission else { return fields }
        fields[.accessControlAllowOrigin] = permission
        if sendsCredentials { fields[.accessControlAllowCredentials] = "true" }
        if !exposedFields.isEmpty { fields[.accessControlExposeHeaders] = exposedFields }
        return fields
    }

    /// What Access-Control-Allow-Origin says to a request's page; `nil`: nothing.
    private func permission(for request: Request) -> String? {
        let values = request.fields[values: .origin]
        guard values.count == 1 else { return nil }
        guard let origins else { return "*" }
        return Origin(values[0]).map(origins.contains) ?? false ? values[0] : nil
    }

    /// Fetch §3.2.5: credentials and `*` exclude each other.
    private var sendsCredentials: Bool { options.allowsCredentials && origins != nil }

    private func answer(to request: Request, _ permission: String) -> Response {
        var fields: HTTPFields = [
            .accessControlAllowMethods: methods,
            .accessControlMaxAge: "\(max(0, options.maxAge.components.seconds))",
        ]
        fields[.accessControlAllowOrigin] = permission
        if sendsCredentials { fields[.accessControlAllowCredentials] = "true" }
        // Named back one by one: `*` would leave out Authorization.
        fields[.accessControlAllowHeaders] =
            requestFields ?? request.fields[.accessControlRequestHeaders]
        if options.allowsPrivateNetwork,
            request.fields[.accessControlRequestPrivateNetwork] == "true"
        {
            fields[.accessControlAllowPrivateNetwork] = "true"
        }
        fields[.vary] = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        return Response(status: .noContent, fields: fields)
    }
}

extension CORS: InPlaceMiddleware {
    func respondAtOnce(
        to request: Request, next: (Request) throws -> Response?
    ) throws -> Response? {
        let permission = permission(for: request)
        if let permission, request.isPreflight { return answer(to: request, permission) }
        do {
            return try next(request)?.adding(fields(permission), vary: vary)
        } catch {
            throw ErrorWithFields(error, fields: fields(permission), vary: vary)
        }
    }
}
