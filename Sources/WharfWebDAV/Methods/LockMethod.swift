import WharfHTTP
import WharfNet
import WharfServer

/// LOCK (RFC 4918 §9.10).
extension WebDAVExchange {
    func lock() async throws -> Response {
        guard let root = try await xml() else {
            return try await request.offload { try refreshLock() }
        }
        guard let body = LockBody(root) else {
            throw WebDAVError(.badRequest, reason: "no lockinfo")
        }
        let depth = try depth()
        guard depth != .one else { throw WebDAVError(.badRequest, reason: "LOCK with Depth: 1") }
        return try await request.offload {
            // Nobody makes, moves or removes it meanwhile.
            try share.change {
                let (wanted, isNew) = try prepareLock(body, isDeep: depth == .infinity)
                if isNew {
                    // RFC 4918 §7.3: locking what isn't there makes an empty file.
                    try handler.state.prepareNew(path)
                    try share.makeFile(path.bytes)
                }
                return try grant(wanted, isNew: isNew)
            }
        }
    }

    private var timeout: Int64 {
        LockTimeout.seconds(
            request.fields[.timeout], usual: handler.options.lockTimeout.components.seconds,
            maximum: handler.options.lockTimeoutMax.components.seconds)
    }

    /// The lock that is wanted, and whether its resource has to be made; for the pool.
    private func prepareLock(_ body: LockBody, isDeep: Bool) throws -> (Lock, isNew: Bool) {
        try checkVisible(path)
        let existing = try look(at: path)
        try checkConditions(of: existing?.status)
        if existing == nil {
            try checkParent()
            guard !isFolderPath else { throw WebDAVError(.conflict, reason: "no such folder") }
            try checkLocks(parentPaths)
        }
        let isFolder = existing?.status.kind == .folder
        let timeout = timeout
        let wanted = Lock(
            token: LockToken.make(), root: path, isFolder: isFolder,
            isExclusive: body.isExclusive, isDeep: isDeep, owner: body.owner,
            user: request.user?.name, timeout: timeout, expiry: now + timeout)
        let conflicts = locks.read { $0.conflicts(with: wanted, at: now) }
        if let refusal = conflictError(conflicts) { throw refusal }
        return (wanted, existing == nil)
    }

    /// Adds the lock, unless another came first; for the pool.
    private func grant(_ wanted: Lock, isNew: Bool) throws -> Response {
        switch try locks.add(wanted, at: now) {
        case .granted: break
        case .conflicts(let conflicts):
            throw conflictError(conflicts) ?? WebDAVError(.locked)
        case .full: throw HTTPError(.serviceUnavailable, reason: "too many locks")
        }
        var response = discovery(status: isNew ? .created : .ok)
        response.fields[.lockToken] = "<\(wanted.token)>"
        return response
    }

    /// Nobody reads more than the status of a 207 to LOCK, and Finder takes it for busy; so a
    /// conflict with a member is 423 as well (RFC 4918 §9.10.6).
    private func conflictError(_ conflicts: [Lock]) -> WebDAVError? {
        guard !conflicts.isEmpty else { return nil }
        let hrefs = Set(conflicts.map { href(of: $0) }).sorted()
        return WebDAVError(.locked, .noConflictingLock, hrefs: hrefs)
    }

    /// RFC 4918 §9.10.2: without a body the lock of the If field begins anew; for the pool.
    private func refreshLock() throws -> Response {
        guard let field = try ifField() else {
            throw WebDAVError(.badRequest, reason: "LOCK without a body and without If")
        }
        let status = try look(at: path)?.status
        try checkConditions(of: status)
        let covering = locks.read { $0.covering(path, at: now) }
        guard let lock = covering.first(where: { field.tokens.contains($0.token) }) else {
            throw WebDAVError(.preconditionFailed, .lockTokenMatchesRequestURI)
        }
        guard lock.user == request.user?.name else {
            throw WebDAVError(.forbidden, reason: "another's lock")
        }
        guard try locks.refresh(lock.token, timeout: timeout, at: now) != nil else {
            throw WebDAVError(.preconditionFailed, .lockTokenMatchesRequestURI)
        }
        return discovery(status: .ok)
    }

    /// The locks of the resource: clients take the token from here, too.
    private func discovery(status: HTTPResponse.Status) -> Response {
        let covering = locks.read { $0.covering(path, at: now) }
        var writer = XMLWriter()
        writer.begin("prop")
        writer.lockDiscovery(covering, prefix: prefix, now: now)
        writer.finish("prop")
        return .bytes(writer.take(), contentType: Response.xmlType, status: status)
    }
}
