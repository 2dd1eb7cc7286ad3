import WharfHTTP
import WharfNet
import WharfServer

/// Where COPY or MOVE is going, once nothing stands in its way.
struct Transfer: Sendable {
    let path: ResourcePath
    /// Whether what is there is replaced.
    let mayReplace: Bool
    /// Whether what lies in a folder goes along.
    let isDeep: Bool
    /// The answer if members further down are locked.
    let refusal: Response?
}

extension WebDAVExchange {
    /// RFC 4918 §9.6.1, §9.8.5: what of a tree has failed, and nothing else.
    func multiStatus(_ failures: [TreeFailure], below path: ResourcePath) -> Response {
        .multiStatus { writer in
            for failure in failures {
                let member = failure.path.isEmpty ? path : path.appending(failure.path)
                writer.response(
                    href: href(member, isFolder: false), HTTPError(writing: failure.error).status)
            }
        }
    }
}

/// What COPY and MOVE have in common (RFC 4918 §9.8, §9.9).
extension WebDAVExchange {
    /// Finds out where to, or throws why not; for the pool.
    func checkTransfer(isMove: Bool) throws -> Transfer {
        let source = try target()
        try checkConditions(of: source.status)
        let isFolder = source.status.kind == .folder
        let depth = try depth()
        // RFC 4918 §9.8.3, §9.9.2.
        guard depth == .infinity || depth == .zero && (!isMove || !isFolder) else {
            throw WebDAVError(.badRequest, reason: "a Depth that makes no sense here")
        }
        guard let value = request.fields[.destination] else {
            throw WebDAVError(.badRequest, reason: "no Destination")
        }
        let replaces = try overwrites()
        let goal = try destination(value)
        try checkVisible(goal)
        guard !path.isRoot || !isMove else {
            throw WebDAVError(.forbidden, reason: "the root stays")
        }
        guard !goal.isWithin(path), !path.isBelow(goal), !goal.isRoot else {
            throw WebDAVError(.forbidden, reason: "onto or into itself")
        }
        try checkParent(of: goal)
        let existing = try look(at: goal)
        // Where `a` and `A` are one name the file is there already, under the other one.
        let isRenamed = isMove && existing?.status.isSame(as: source.status) ?? false
        guard existing == nil || replaces || isRenamed else {
            throw WebDAVError(.preconditionFailed)
        }
        try checkLocks(changed(by: goal, isMove: isMove))
        let blocking = try lockedBelow(goal) + (isMove ? lockedBelow(path) : [])
        return Transfer(
            path: goal, mayReplace: replaces, isDeep: depth == .infinity,
            refusal: blocking.isEmpty ? nil : lockedMembers(blocking))
    }

    /// The same for locks that were taken since, when everything is ready; for the pool.
    func checkLocks(of transfer: Transfer, isMove: Bool) throws {
        try checkLocks(changed(by: transfer.path, isMove: isMove))
        let blocking = try lockedBelow(transfer.path) + (isMove ? lockedBelow(path) : [])
        guard blocking.isEmpty else { throw lockedError(blocking) }
    }

    private func changed(by goal: ResourcePath, isMove: Bool) -> [ResourcePath] {
        [goal] + (goal.parent.map { [$0] } ?? []) + (isMove ? [path] + parentPaths : [])
    }

    /// RFC 4918 §10.6: what is there is replaced unless the client says F.
    private func overwrites() throws -> Bool {
        switch request.fields[.overwrite]?.uppercased() {
        case nil, "T": true
        case "F": false
        case let value?: throw WebDAVError(.badRequest, reason: "Overwrite: \(value)")
        }
    }
}
