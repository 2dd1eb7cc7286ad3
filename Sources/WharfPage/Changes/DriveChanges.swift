import WharfHTTP
import WharfServer
import WharfWebDAV

/// Changes a share that is a drive as one of its clients would, so that locks are respected and
/// properties go where their files go.
struct DriveChanges: ShareChanges {
    let drive: WebDAVHandler

    func makeFolder(_ path: PagePath, for request: Request) async throws {
        try await ask(.mkcol, path, [:], request)
    }

    func remove(_ path: PagePath, for request: Request) async throws {
        try await ask(.delete, path, [:], request)
    }

    func move(
        _ path: PagePath, to newPath: PagePath, replaces: Bool, for request: Request
    ) async throws {
        let mount = PercentEncoding.encode(request.mountPath, for: .path)
        let fields: HTTPFields = [
            .destination: drive.options.basePath + mount + newPath.encoded,
            .overwrite: replaces ? "T" : "F",
        ]
        try await ask(.move, path, fields, request)
    }

    /// Has the drive answer a request of its own protocol in the place of the page's.
    private func ask(
        _ method: HTTPRequest.Method, _ path: PagePath, _ fields: HTTPFields, _ request: Request
    ) async throws {
        var asked = request
        asked.head.method = method
        asked.head.path =
            PercentEncoding.encode(request.mountPath, for: .path) + path.encoded
        // What the page's own request says of conditions and content is not for the drive.
        var kept = fields
        kept[.host] = request.fields[.host]
        asked.head.headerFields = kept
        let status = try await drive.respond(to: asked).status
        switch status {
        case .multiStatus: throw HTTPError(.conflict, reason: "a part could not be \(method)ed")
        case let status where status.code >= 300: throw HTTPError(status)
        default: return
        }
    }
}
