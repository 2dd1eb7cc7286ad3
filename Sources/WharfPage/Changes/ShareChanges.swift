import WharfHTTP
import WharfServer

/// How the page changes what lies in a share.
///
/// All throw the error to be answered: 409 without the parent, 403 for the share's folder itself,
/// 423 for what somebody has locked.
protocol ShareChanges: Sendable {
    /// Makes an empty folder; throws 405 if something is there.
    func makeFolder(_ path: PagePath, for request: Request) async throws

    /// Removes a file, or a folder with all that is in it; throws 404 if there is nothing.
    func remove(_ path: PagePath, for request: Request) async throws

    /// Gives a file or folder another name; throws 412 if something has it and isn't to be
    /// replaced.
    func move(
        _ path: PagePath, to newPath: PagePath, replaces: Bool, for request: Request
    ) async throws
}

extension ShareChanges {
    /// Moves to a name that is free: `name (1).txt` if `name.txt` isn't.
    func moveToFreeName(
        _ path: PagePath, to newPath: PagePath, for request: Request
    ) async throws {
        try await withFreeName(newPath, taken: .preconditionFailed) {
            try await move(path, to: $0, replaces: false, for: request)
        }
    }

    /// Makes a folder of a name that is free.
    func makeFolderOfFreeName(_ path: PagePath, for request: Request) async throws {
        try await withFreeName(path, taken: .methodNotAllowed) {
            try await makeFolder($0, for: request)
        }
    }
}
