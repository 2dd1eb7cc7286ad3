import WharfHTTP
import WharfNet

/// What a folder lets clients change.
extension DirectoryHandler {
    /// What can be asked of something in the folder.
    var allowed: String {
        ReadOnly.allowed + (share.isWritable ? ", PUT" : "")
    }

    /// Whether a request is one that changes the folder, or one that somebody has to be asked about.
    func hasToWait(_ request: Request) -> Bool {
        share.isWritable && request.method == .put
            || share.delegate != nil && request.method == .get
    }

    /// Answers PUT.
    func put(_ request: Request) async throws -> Response {
        let path = try RequestPath(validating: request.pathBelowMount)
        guard path.isCanonical else {
            throw HTTPError(.badRequest, reason: "a second text for a path")
        }
        guard !isHidden(path.segments) else {
            throw HTTPError(.forbidden, reason: "PUT of a hidden file")
        }
        // RFC 4918 §9.7.2: a path with a slash at its end is a folder's.
        guard !path.hasTrailingSlash else { throw HTTPError(writing: .isDirectory) }
        return try await share.put(request, at: Self.joined(path.segments))
    }

    /// Lets the delegate have its say about a file that is about to be sent.
    func admit(_ response: Response, to request: Request) async throws {
        guard share.delegate != nil, request.method == .get, response.status == .ok else { return }
        let path = try RequestPath(validating: request.pathBelowMount)
        let name = String(decoding: Self.joined(path.segments), as: UTF8.self)
        try await share.ask(request) { try await $0.shouldDownload(name, for: request) }
        share.tellWhenSent(request) { await $0.didDownload(name, for: request) }
    }
}
