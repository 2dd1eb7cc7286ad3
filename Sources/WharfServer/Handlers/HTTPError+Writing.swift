import WharfHTTP
package import WharfNet

extension HTTPError {
    /// The answer to something that couldn't be written, moved or removed.
    ///
    /// A folder that isn't there, or can't be reached, is the client's to make first.
    package init(writing error: Errno) {
        let reason = "can't write: \(error)"
        switch error {
        case .diskFull, .quotaExceeded:
            // RFC 4918 §11.5
            self.init(.insufficientStorage, reason: reason)
        case .fileTooLarge:
            self.init(.contentTooLarge, reason: reason)
        case .accessDenied, .notPermitted, .readOnlyFileSystem:
            self.init(.forbidden, reason: reason)
        case .notFound, .notDirectory, .crossDevice, .symbolicLinkLoop:
            // RFC 4918 §9.7.1: the parent has to be there.
            self.init(.conflict, reason: reason)
        case .isDirectory:
            // RFC 4918 §9.7.2
            self.init(.methodNotAllowed, reason: reason, fields: [.allow: "GET, HEAD, OPTIONS"])
        case .exists:
            self.init(.preconditionFailed, reason: reason)
        case .nameTooLong:
            self.init(.uriTooLong, reason: reason)
        case .invalidArgument, .truncated:
            self.init(.badRequest, reason: reason)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory, .wouldBlock:
            self.init(.serviceUnavailable, reason: reason, fields: [.retryAfter: "1"])
        default:
            self.init(.internalServerError, reason: reason)
        }
    }

    /// Makes the answer of what failed while something was written; other errors are left.
    static func writing(_ error: any Error) -> any Error {
        (error as? Errno).map { HTTPError(writing: $0) } ?? error
    }
}
