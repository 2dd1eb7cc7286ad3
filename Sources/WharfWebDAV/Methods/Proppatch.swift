import WharfHTTP
import WharfNet
import WharfServer

/// PROPPATCH (RFC 4918 §9.2).
extension WebDAVExchange {
    func proppatch() async throws -> Response {
        try await request.offload {
            try checkConditions(of: try target().status)
            try checkLocks([path])
        }
        guard let root = try await xml() else {
            throw WebDAVError(.badRequest, reason: "PROPPATCH without a body")
        }
        guard let changes = try PropertyChange.list(root, named: .dav("propertyupdate")) else {
            throw WebDAVError(.unprocessableContent, reason: "no propertyupdate")
        }
        return try await request.offload {
            let outcome = PropertyUpdate(changes)
            // Nobody moves it meanwhile.
            let isFolder = try share.change {
                let opened = try target()
                try checkLocks([path])
                if outcome.isPossible { try apply(outcome, to: path) }
                return opened.status.kind == .folder
            }
            return .multiStatus { writer in
                writer.start("response")
                writer.element("href", href(path, isFolder: isFolder))
                outcome.write(to: &writer)
                writer.end("response")
            }
        }
    }

    /// Makes the changes, all or none; for the pool.
    func apply(_ update: PropertyUpdate, to path: ResourcePath) throws {
        try properties.change(path, set: update.set, remove: update.removed)
        if let time = update.modificationTime {
            try share.setModificationTime(time, of: path.bytes)
        }
    }
}
