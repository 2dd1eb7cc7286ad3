import WharfHTTP
package import WharfNet

extension HTTPError {
    /// The answer to a file or folder that couldn't be opened.
    ///
    /// What lies outside the root, behind a file or beyond a name's length is as good as missing.
    package init(opening error: Errno) {
        switch error {
        case .notFound, .notDirectory, .crossDevice, .symbolicLinkLoop, .nameTooLong,
            .invalidArgument:
            self.init(.notFound)
        case .accessDenied, .notPermitted:
            self.init(.forbidden)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory, .wouldBlock:
            self.init(
                .serviceUnavailable, reason: "can't open: \(error)", fields: [.retryAfter: "1"])
        default:
            self.init(.internalServerError, reason: "can't open: \(error)")
        }
    }
}
