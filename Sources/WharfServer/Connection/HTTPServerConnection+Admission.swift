import WharfHTTP

/// What a request has to pass before a route is looked for.
extension HTTPServerConnection {
    /// Throws when pages of other sites may be behind a request; else the program may rewrite it.
    @inline(never)
    func admit(_ request: inout Request) throws(HTTPError) {
        if let protection = server.configuration.protection { try check(request, protection) }
        server.configuration.hooks.rewrites?(&request.head)
    }

    private func check(_ request: Request, _ protection: Protection) throws(HTTPError) {
        if let hosts = protection.hosts, !hasAdmittedHost(of: request) {
            if let reason = hosts.refusal(of: request) { throw Protection.misdirected(reason) }
            // A target that names a host of its own says nothing about the field, and a proxy may
            // ask for another host by the same field the next time.
            if request.received.target == .origin, server.configuration.trustedProxies == nil {
                admittedHost = Array(request.fields.onlyValueBytes(of: .host) ?? [])
            }
        }
        if let reason = protection.origins?.refusal(of: request) {
            throw Protection.forbidden(reason)
        }
    }

    /// Whether the host is the one of the request before, which was let through.
    private func hasAdmittedHost(of request: Request) -> Bool {
        guard !admittedHost.isEmpty, request.received.target == .origin,
            let host = request.fields.onlyValueBytes(of: .host)
        else { return false }
        return host == admittedHost[...]
    }
}
