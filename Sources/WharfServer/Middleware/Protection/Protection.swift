import WharfHTTP

/// Keeps pages of other sites from using a server through somebody's browser.
///
/// Two checks, before any route is looked for and before anything of a body is read:
/// - **Host**: a request has to name the server as somebody calls it: by an address, `localhost` or
///   a name below it, the machine's own name, that name in `.local`, or one of `hosts`. Else the
///   answer is 421. It ends DNS rebinding, where a page's own name is made to lead here.
/// - **Origin**: a request that may change something, and one for an upgrade, must not come from a
///   page of another site, unless that is one of `origins`. Else the answer is 403. It ends forgery
///   with the help of a browser that is logged in. Who is no browser sends neither field and passes.
///
/// A server has one from the start: ``HTTPServer/Configuration/protection``. As a middleware it
/// guards a group of routes more strictly.
public struct Protection: HTTPMiddleware {
    let hosts: HostNames?
    let origins: AllowedOrigins?

    /// Both checks.
    ///
    /// `hosts` are names without ports by which clients may call the server besides its own:
    /// `shelf.example.org`, `*.example.org` for all names below one, `*` for any. `origins` are
    /// those of other sites' pages that may write: `https://app.example.org`, with the port if it
    /// is not the usual one. What is no name, or no origin, stands for nothing.
    public init(hosts: [String] = [], origins: [String] = []) {
        self.init(hosts: hosts, origins: origins, checksHost: true, checksOrigin: true)
    }

    /// One of the checks, or both; see ``init(hosts:origins:)``.
    public init(
        hosts: [String] = [], origins: [String] = [], checksHost: Bool, checksOrigin: Bool
    ) {
        self.hosts = checksHost ? HostNames(hosts) : nil
        self.origins = checksOrigin ? AllowedOrigins(origins) : nil
    }

    /// Goes on with a request that passes, and else throws the ``HTTPError`` 421 or 403.
    public func respond(to request: Request, next: Next) async throws -> Response {
        try check(request)
        return try await next(request)
    }

    /// Throws the ``HTTPError`` 421 or 403 for a request that may be a page's of another site.
    ///
    /// `knowsHost`: the Host field is known to name this server.
    func check(_ request: Request, knowsHost: Bool = false) throws(HTTPError) {
        // RFC 9110 §15.5.20: the server is not the one that the request is for.
        if !knowsHost, let reason = hosts?.refusal(of: request) {
            throw HTTPError(.misdirectedRequest, reason: reason)
        }
        // RFC 6454 §8.1: the server does not do it for that origin.
        if let reason = origins?.refusal(of: request) {
            throw HTTPError(.forbidden, reason: reason)
        }
    }
}

extension Protection: InPlaceMiddleware {
    func respondAtOnce(
        to request: Request, next: (Request) throws -> Response?
    ) throws -> Response? {
        try check(request)
        return try next(request)
    }
}
