import WharfHTTP

/// The order of a request, in a connection and in tests without one.
///
/// Host and Origin; what the program changes; the route; the bound of the body; middlewares and
/// handler; coding, conditions and ranges. What throws on the way becomes the answer.
extension ServerContext {
    /// Finds the route that answers a request, and what it finds in the path.
    ///
    /// Throws when pages of other sites may be behind the request.
    @inline(__always)
    func route(_ request: inout Request) throws(HTTPError) -> Route {
        if isSelective { try admit(&request) }
        let found = router.table.find(request.received.request)
        request.parameters = found.parameters
        request.mountPath = found.mountPath
        if let onlyReads = found.route.onlyReads, request.method == .post, onlyReads(request) {
            request[OnlyReads.self] = true
        }
        return found.route
    }

    @inline(never)
    private func admit(_ request: inout Request) throws(HTTPError) {
        if let protection = configuration.protection {
            let isKnown = hasAdmittedHost(request)
            try protection.check(request, knowsHost: isKnown)
            // A target that names a host of its own says nothing about the field, and a proxy may
            // ask for another host by the same field the next time.
            if !isKnown, protection.hosts != nil, request.received.target == .origin,
                configuration.trustedProxies == nil
            {
                request.exchange.admittedHost = Array(
                    request.fields.onlyValueBytes(of: .host) ?? [])
            }
        }
        configuration.hooks.rewrites?(&request.head)
    }

    /// Whether the host is the one of the connection's request before, which was let through.
    private func hasAdmittedHost(_ request: Request) -> Bool {
        let admitted = request.exchange.admittedHost
        guard !admitted.isEmpty, request.received.target == .origin,
            let host = request.fields.onlyValueBytes(of: .host)
        else { return false }
        return host == admitted[...]
    }

    /// Bytes that the body of a request may have.
    @inline(__always)
    func bodyMax(of route: Route) -> Int64 { route.bodyMax ?? configuration.bodyMax }

    /// What a body is in, if it is taken at all.
    enum BodyCoding {
        case identity
        case known(ContentCoding)
        case refused(HTTPError)
    }

    /// How the fields of a request say that its body is compressed.
    func coding(of fields: HTTPFields) -> BodyCoding {
        guard let value = fields[.contentEncoding], value.lowercased() != "identity" else {
            return .identity
        }
        let decodes = configuration.decompression != nil
        if decodes, let coding = ContentCoding(name: value) { return .known(coding) }
        // RFC 9110 §8.4: a coding that isn't understood must not be taken for the content.
        return .refused(
            HTTPError(
                .unsupportedMediaType, reason: "a body with the Content-Encoding \(value)",
                // §12.5.3: what would be taken.
                fields: [.acceptEncoding: decodes ? "gzip, deflate" : "identity"]))
    }

    /// The answer, in place; `nil`: it has to be waited for.
    @inline(__always)
    func answerAtOnce(_ route: Route, _ request: Request, _ body: RequestBody?, now: () -> Int64)
        throws -> Response?
    {
        guard let answer = try route.respondAtOnce(to: request, body) else { return nil }
        if answer.isSettled { return answer }
        return try answer.settled(
            for: request.received.request, isSecure: request.isSecure, configuration.compression,
            now: now)
    }

    /// The answer; `refusal` is why the body is not taken, if it is known to be.
    func answer(
        _ route: Route, _ request: Request, refusal: (any Error)?, now: () -> Int64
    ) async throws -> Response {
        try await run(route, request, refusal: refusal)
            .settled(
                for: request.head, isSecure: request.isSecure, configuration.compression, now: now)
    }
}
