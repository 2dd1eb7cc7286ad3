import WharfHTTP
import WharfNet
import WharfServer

/// Tells a page that its folder has changed: `GET /.wharf/events?path=/photos/`.
///
/// The answer is a stream of events of the type `change`, without saying what: the page asks for the
/// list anew. One of the type `gone` says that there is no such folder any more. What is added,
/// removed or renamed in the folder is noticed within about a second.
struct FolderEvents: Sendable {
    let site: PageSite

    private static let interval = Duration.seconds(1)

    /// The stream; throws 404 if there is no such folder.
    func response(_ request: Request) async throws -> Response {
        let query = request.query.flatMap { URLEncodedForm(parsing: $0, fieldCountMax: 8) }
        let path = try PagePath(encoded: query?["path"] ?? "/")
        guard !site.files.hides(path.bytes), let start = try await stamp(of: path, request) else {
            throw HTTPError(.notFound)
        }
        return .eventStream { events in
            var last = start
            while true {
                try await events.pause(for: Self.interval)
                guard let stamp = try await stamp(of: path, request) else {
                    try await events.send("", event: "gone")
                    return
                }
                guard stamp != last else { continue }
                last = stamp
                try await events.send("", event: "change")
            }
        }
    }

    /// What changes with the folder's names; `nil`: it isn't there.
    private func stamp(of path: PagePath, _ request: Request) async throws -> FileStatus? {
        var answer = site.files.folder.open(path.bytes, cachedOnly: true)
        if case .failure(let error) = answer, error.isWouldBlock {
            let folder = site.files.folder
            answer = try await request.offload { folder.open(path.bytes, cachedOnly: false) }
        }
        guard case .success(let opened) = answer, opened.status.kind == .folder else { return nil }
        return opened.status
    }
}
