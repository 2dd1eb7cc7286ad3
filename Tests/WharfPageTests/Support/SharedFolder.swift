import Foundation
import TestSupport
import WharfHTTP
import WharfNet
import WharfPage
import WharfServer
import WharfTesting
import WharfWebDAV

/// A shared folder with its page, and a client of it without a socket.
struct SharedFolder {
    let folder: TemporaryFolder
    let client: TestClient

    /// Serves a folder at a place; as a drive, too, unless `isDrive` is false.
    init(
        _ folder: TemporaryFolder? = nil, isWritable: Bool = true, isDrive: Bool = true,
        at mount: String = "/", delegate: (any ShareDelegate)? = nil,
        options: PageOptions = PageOptions(), share sharing: Share.Options = Share.Options(),
        user: AuthenticatedUser? = nil
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let share = try Share(
            folder: folder.path, isWritable: isWritable, delegate: delegate, options: sharing)
        let router = Router()
        router.use(Visitor(user: user, folder: folder))
        if isDrive {
            router.mount(mount, try ShareHandler(share, options: options))
        } else {
            router.mount(mount, UploaderHandler(share, options: options))
        }
        self.folder = folder
        client = TestClient(router)
    }

    /// What a browser asks for when somebody opens an address.
    func page(_ target: String, _ fields: HTTPFields = [:]) async throws -> TestResponse {
        var fields = fields
        fields[.accept] = fields[.accept] ?? "text/html,application/xhtml+xml,*/*;q=0.8"
        return try await client.get(target, fields: fields)
    }

    /// A command of the page's script.
    func command(_ name: String, _ json: String, _ fields: HTTPFields = [:]) async throws
        -> TestResponse
    {
        var fields = fields
        fields[.contentType] = fields[.contentType] ?? "application/json"
        return try await client.post("/.wharf/\(name)", fields: fields, body: .text(json))
    }

    /// A form without files.
    func form(_ target: String, _ text: String, _ fields: HTTPFields = [:]) async throws
        -> TestResponse
    {
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try await client.post(target, fields: fields, body: .text(text))
    }

    /// A form with files.
    func form(
        _ target: String, fields texts: [(String, String)], files: [(String, String)],
        _ fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        var body = ""
        for (name, text) in texts {
            body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n"
        }
        for (name, text) in files {
            body += "--b\r\nContent-Disposition: form-data; name=\"files[]\"; "
            body += "filename=\"\(name)\"\r\n\r\n\(text)\r\n"
        }
        var fields = fields
        fields[.contentType] = "multipart/form-data; boundary=b"
        return try await client.post(target, fields: fields, body: .text(body + "--b--\r\n"))
    }

    /// The paths of all that there is, sorted, folders with a slash behind.
    var names: [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)
        return (all?.compactMap { $0 as? String } ?? []).map { name in
            var isFolder: ObjCBool = false
            let path = folder.path + "/" + name
            // The pointer is used inside the call only.
            _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            return isFolder.boolValue ? name + "/" : name
        }.sorted()
    }

    /// The text of a file; `nil` if there is none.
    func text(_ name: String) -> String? {
        try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }
}

/// Somebody who is known or not; and who keeps the folder for as long as it is served.
private struct Visitor: HTTPMiddleware {
    let user: AuthenticatedUser?
    let folder: TemporaryFolder

    func respond(to request: Request, next: Next) async throws -> Response {
        var request = request
        request.user = user
        return try await next(request)
    }
}
