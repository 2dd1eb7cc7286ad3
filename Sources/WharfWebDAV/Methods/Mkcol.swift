import WharfHTTP
import WharfNet
import WharfServer

/// MKCOL (RFC 4918 §9.3), with properties (RFC 5689).
extension WebDAVExchange {
    func mkcol() async throws -> Response {
        try await request.offload { try checkMkcol() }
        guard let update = try await mkcolBody() else {
            try await makeFolder()
            return .status(.created)
        }
        // RFC 5689 §3: the folder and its properties, or nothing.
        if update.isPossible {
            try await makeFolder()
            try await request.offload { try apply(update, to: path) }
            return .status(.created)
        }
        var writer = XMLWriter()
        writer.begin("mkcol-response")
        update.write(to: &writer)
        writer.finish("mkcol-response")
        return .bytes(writer.take(), contentType: Response.xmlType, status: .failedDependency)
    }

    /// For the pool.
    private func checkMkcol() throws {
        try checkVisible(path)
        let existing = try look(at: path)
        try checkConditions(of: existing?.status)
        guard existing == nil else { throw mkcolRefusal }
        try checkParent()
        try checkLocks([path] + parentPaths)
    }

    // RFC 4918 §9.3.1.
    private var mkcolRefusal: HTTPError {
        HTTPError(.methodNotAllowed, fields: [.allow: handler.allow])
    }

    private func makeFolder() async throws {
        let companion = ChangeCompanion(before: {
            try checkLocks([path] + parentPaths)
            try handler.state.prepareNew(path)
        })
        try await share.makeFolder(path.bytes, for: request, companion)
    }

    /// The properties of a body; `nil` without one.
    private func mkcolBody() async throws -> PropertyUpdate? {
        let root: XMLElement?
        do {
            root = try await xml()
        } catch is XMLError {
            throw WebDAVError(.badRequest, reason: "the body is no XML")
        }
        guard let root else { return nil }
        // RFC 4918 §9.3.1: a body that isn't understood.
        guard let changes = try PropertyChange.list(root, named: .dav("mkcol")) else {
            throw WebDAVError(.unsupportedMediaType, reason: "no mkcol")
        }
        let wanted = changes.filter { $0.name != LiveProperty.resourceType.name }
        for case .set(let element, _) in changes
        where element.name == LiveProperty.resourceType.name {
            guard element.elements.map(\.name) == [.dav("collection")] else {
                throw WebDAVError(.forbidden, .validResourceType)
            }
        }
        return PropertyUpdate(wanted)
    }

    /// Throws 409 if the folder that it would lie in isn't there (RFC 4918 §9.3.1, §9.7.1).
    func checkParent(of path: ResourcePath? = nil) throws {
        let parent = (path ?? self.path).parent
        guard let parent, try look(at: parent)?.status.kind == .folder else {
            throw WebDAVError(.conflict, reason: "there is no folder to put it in")
        }
    }

    /// The folder whose members change; none for the root.
    var parentPaths: [ResourcePath] { path.parent.map { [$0] } ?? [] }
}
