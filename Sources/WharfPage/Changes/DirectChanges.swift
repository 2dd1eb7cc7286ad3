import WharfHTTP
import WharfNet
import WharfServer

/// Changes a share that is no drive.
struct DirectChanges: ShareChanges {
    let share: Share

    func makeFolder(_ path: PagePath, for request: Request) async throws {
        try await share.makeFolder(path.bytes, for: request)
    }

    func remove(_ path: PagePath, for request: Request) async throws {
        let failures = try await share.remove(path.bytes, for: request)
        if let failure = failures.first { throw HTTPError(writing: failure.error) }
    }

    func move(
        _ path: PagePath, to newPath: PagePath, replaces: Bool, for request: Request
    ) async throws {
        _ = try await share.move(
            path.bytes, to: newPath.bytes, replaces: replaces, for: request)
    }
}
