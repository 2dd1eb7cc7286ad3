/// Who is asked before something happens in a ``Share``, and told afterwards.
///
/// There is one kind for all ways in: pages, drives, uploads. Each method has a default, which lets
/// it happen and says nothing. `false` is answered 403; an ``HTTPError`` that is thrown is answered
/// as it says. Methods run on the server's pool and may block; several may run at once. The request
/// tells who asks: ``Request/user`` and ``Request/peer``; its body is not for them.
///
/// Paths are decoded and relative to the folder: `photos/a.jpg`. Bytes that are no UTF-8 are
/// replacement characters in them.
public protocol ShareDelegate: Sendable {
    /// A file was received whole and has not got its name yet.
    func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool
    /// The file has its name.
    func didUpload(_ upload: ShareUpload, for request: Request) async

    /// A file is to be sent.
    func shouldDownload(_ path: String, for request: Request) async throws -> Bool
    /// The answer with the file, or with an archive that it is in, has been sent: the system has taken
    /// the last byte.
    ///
    /// Not called when the client left before.
    func didDownload(_ path: String, for request: Request) async

    /// A file or folder is to get another name, here or in another folder.
    func shouldMove(_ path: String, to newPath: String, for request: Request) async throws -> Bool
    /// It has it.
    func didMove(_ path: String, to newPath: String, for request: Request) async

    /// A file or folder, with all that is in it, is to be copied.
    func shouldCopy(_ path: String, to newPath: String, for request: Request) async throws -> Bool
    /// The copy is complete.
    func didCopy(_ path: String, to newPath: String, for request: Request) async

    /// A file or folder, with all that is in it, is to be removed.
    func shouldDelete(_ path: String, for request: Request) async throws -> Bool
    /// It is gone.
    func didDelete(_ path: String, for request: Request) async

    /// A folder is to be made.
    func shouldCreateFolder(_ path: String, for request: Request) async throws -> Bool
    /// It is there.
    func didCreateFolder(_ path: String, for request: Request) async
}

/// A file that is uploaded into a ``Share``.
public struct ShareUpload: Sendable, Hashable {
    /// Where it is to lie, below the share's folder.
    public let path: String
    /// Bytes.
    public let byteCount: Int64
    /// Whether it takes the place of a file.
    public let isReplacing: Bool
    /// Where this program can read it while ``ShareDelegate/shouldUpload(_:for:)`` runs, and not
    /// afterwards; `nil` where that can't be said.
    public let temporaryPath: String?
}

extension ShareDelegate {
    /// Lets it happen.
    public func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool {
        true
    }
    /// Does nothing.
    public func didUpload(_ upload: ShareUpload, for request: Request) async {}

    /// Lets it happen.
    public func shouldDownload(_ path: String, for request: Request) async throws -> Bool { true }
    /// Does nothing.
    public func didDownload(_ path: String, for request: Request) async {}

    /// Lets it happen.
    public func shouldMove(
        _ path: String, to newPath: String, for request: Request
    ) async throws -> Bool { true }
    /// Does nothing.
    public func didMove(_ path: String, to newPath: String, for request: Request) async {}

    /// Lets it happen.
    public func shouldCopy(
        _ path: String, to newPath: String, for request: Request
    ) async throws -> Bool { true }
    /// Does nothing.
    public func didCopy(_ path: String, to newPath: String, for request: Request) async {}

    /// Lets it happen.
    public func shouldDelete(_ path: String, for request: Request) async throws -> Bool { true }
    /// Does nothing.
    public func didDelete(_ path: String, for request: Request) async {}

    /// Lets it happen.
    public func shouldCreateFolder(_ path: String, for request: Request) async throws -> Bool {
        true
    }
    /// Does nothing.
    public func didCreateFolder(_ path: String, for request: Request) async {}
}
