import WharfHTTP
import WharfNet
import WharfServer

/// What has to hold before a method does anything; for the pool.
extension WebDAVExchange {
    /// Judges If-Match and its like (RFC 9110 §13) and If (RFC 4918 §10.4), or throws 412.
    ///
    /// `status` is what lies at the path now.
    func checkConditions(of status: FileStatus?) throws {
        let outcome = Preconditions.evaluate(
            request.head, exists: status != nil, eTag: eTag(of: status),
            lastModified: status.map { HTTPDate(unixSeconds: $0.modificationSeconds) })
        guard outcome == .proceed else { throw WebDAVError(.preconditionFailed) }
        guard let field = try ifField() else { return }
        let holds = try field.holds { resource in
            guard let resource else { return try state(of: path, status) }
            // A resource of another server, or that can't be understood, has no state at all.
            guard let other = try? destination(resource) else {
                return IfHeader.State(tokens: [], entityTag: nil)
            }
            return try state(of: other, look(at: other)?.status)
        }
        guard holds else { throw WebDAVError(.preconditionFailed) }
    }

    /// The field If; `nil` if there is none, or an empty one, as Finder sends it.
    func ifField() throws -> IfHeader? {
        let values = request.fields[values: .if]
        let value = values.joined(separator: " ")
        guard value.contains(where: { $0 != " " }) else { return nil }
        guard let field = IfHeader(parsing: value) else {
            throw WebDAVError(.badRequest, reason: "If: \(value)")
        }
        return field
    }

    /// Who asks, with the tokens that they submit.
    func holder() throws -> LockTable.Holder {
        var tokens = try ifField()?.tokens ?? []
        // Word sends the token so, and no If.
        if let token = request.fields[.lockToken].flatMap(CodedURL.parse) { tokens.insert(token) }
        return LockTable.Holder(user: request.user?.name, tokens: tokens)
    }

    /// Throws 423 unless whoever asks holds a lock of everything that is locked of these.
    ///
    /// What is locked further down is told by itself: see ``lockedBelow(_:)``.
    func checkLocks(_ paths: [ResourcePath]) throws {
        if locks.isEmpty { return }
        let holder = try holder()
        let blocking = locks.read { table in
            paths.flatMap { table.blocking(.resource($0), holder, at: now) }
        }
        guard blocking.isEmpty else { throw lockedError(blocking) }
    }

    /// The locks below a folder that keep whoever asks from removing it.
    func lockedBelow(_ path: ResourcePath) throws -> [Lock] {
        if locks.isEmpty { return [] }
        let holder = try holder()
        return locks.read { table in
            table.blocking(.tree(path), holder, at: now).filter { $0.root.isBelow(path) }
        }
    }

    /// 423 with what is locked (RFC 4918 §16).
    func lockedError(_ blocking: [Lock]) -> WebDAVError {
        var hrefs: [String] = []
        for lock in blocking where !hrefs.contains(href(of: lock)) { hrefs.append(href(of: lock)) }
        return WebDAVError(.locked, .lockTokenSubmitted, hrefs: hrefs)
    }

    /// RFC 4918 §9.6.1: nothing above a member that can't go may go, and only what failed is told.
    func lockedMembers(_ blocking: [Lock]) -> Response {
        .multiStatus { writer in
            var seen: Set<ResourcePath> = []
            for lock in blocking where seen.insert(lock.root).inserted {
                writer.response(href: href(of: lock), .locked, condition: .lockTokenSubmitted)
            }
        }
    }

    /// The path below the handler that a URL of a field names (RFC 4918 §10.3); for the pool.
    func destination(_ value: String) throws -> ResourcePath {
        let text: String
        do {
            text = try Destination.path(
                value, host: request.head.authority ?? request.fields[.host],
                base: String(request.path))
        } catch {
            switch error {
            case .malformed: throw WebDAVError(.badRequest, reason: "a URL: \(value)")
            case .elsewhere: throw WebDAVError(.badGateway, reason: "another server: \(value)")
            }
        }
        guard let rest = text.below(prefix) ?? text.below(request.mountPath) else {
            throw WebDAVError(.badGateway, reason: "outside of the drive: \(value)")
        }
        let path = ResourcePath(try Self.parse(rest.isEmpty ? "/" : rest))
        return handler.files.folder.equivalent(of: path.bytes).map(ResourcePath.init(bytes:))
            ?? path
    }

    /// A folder has none: it would have to change with everything in it.
    func eTag(of status: FileStatus?) -> EntityTag? {
        guard let status, status.kind == .file else { return nil }
        return EntityTag(parsing: FileValidators(status, now: now).eTag)
    }

    private func state(of path: ResourcePath, _ status: FileStatus?) throws -> IfHeader.State {
        let covering = locks.read { $0.covering(path, at: now) }
        return IfHeader.State(
            tokens: Set(covering.map(\.token)), entityTag: eTag(of: status)?.description)
    }
}

extension String {
    /// What follows a prefix that ends at a slash, or at the end.
    fileprivate func below(_ prefix: String) -> Substring? {
        guard hasPrefix(prefix) else { return nil }
        let rest = dropFirst(prefix.count)
        return rest.isEmpty || rest.hasPrefix("/") ? rest : nil
    }
}
