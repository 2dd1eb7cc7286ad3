import WharfHTTP
import WharfServer

/// What the page's script asks for: JSON with percent-encoded paths, so that names that are no UTF-8
/// can be told as well.
///
///     POST /.wharf/create {"path": "/photos/new"}
///     POST /.wharf/move   {"path": "/a.txt", "to": "/photos/a.txt", "replace": false}
///     POST /.wharf/delete {"path": "/photos/new"}
///
/// The answer to each has the path that came of it: `{"path": "/photos/new"}`. A body that isn't
/// called JSON is refused (415), which a form of another site can't help.
struct PageCommands: Sendable {
    let site: PageSite

    private static let byteCountMax = 64 * 1024

    private struct Place: Codable { var path: String }

    private struct Move: Decodable {
        var path: String
        var to: String
        var replace: Bool?
    }

    /// Makes a folder: 405 if something is there.
    func create(_ request: Request) async throws -> Response {
        let body = try await request.json(Place.self, upTo: Self.byteCountMax)
        let path = try visible(PagePath(encoded: body.path)).checkingNewName()
        try await site.changes.makeFolder(path, for: request)
        return try answer(path)
    }

    /// Gives something another name, here or in another folder: 412 if the name is taken.
    func move(_ request: Request) async throws -> Response {
        let body = try await request.json(Move.self, upTo: Self.byteCountMax)
        let path = try visible(PagePath(encoded: body.path))
        let newPath = try visible(PagePath(encoded: body.to)).checkingNewName(former: path.name)
        try await site.changes.move(
            path, to: newPath, replaces: body.replace ?? false, for: request)
        return try answer(newPath)
    }

    /// Removes something, a folder with all that is in it.
    func delete(_ request: Request) async throws -> Response {
        let body = try await request.json(Place.self, upTo: Self.byteCountMax)
        let path = try visible(PagePath(encoded: body.path))
        try await site.changes.remove(path, for: request)
        return try answer(path)
    }

    private func visible(_ path: PagePath) throws -> PagePath {
        guard !site.files.hides(path.bytes) else {
            throw HTTPError(.forbidden, reason: "a hidden name")
        }
        return path
    }

    private func answer(_ path: PagePath) throws -> Response {
        var response = try Response.json(Place(path: path.encoded))
        response.fields[.cacheControl] = "no-store"
        return response
    }
}
