import WharfHTTP
import WharfNet
import WharfServer

/// How it is found out before an upload begins whether it would be taken.
extension UploadExchange {
    /// What the handler behind says to the request that an upload stands for, if it refuses that.
    ///
    /// It is asked as it will be when the upload is whole, but without the body: it judges all the rest
    /// first, and who wants to read has found nothing against it. `makesFolders`: those above the file
    /// need not be there yet. Throws what the handler throws.
    func refusal(of target: UploadRecord.Target, makesFolders: Bool = false) async throws
        -> Response?
    {
        guard target.method == .put else { return nil }
        let segments = try RequestPath(validating: target.path).segments
        let folder = Self.joined(segments.dropLast())
        let root = share.root
        if makesFolders, try await offload({ !root.hasFolder(folder) }) {
            // Until it is made a PUT has no place.
            try share.checkUpload(Self.joined(segments), fields)
            return nil
        }
        let head = head(of: target, at: target.path)
        do {
            let asking = request.replacing(head, body: .untouchable)
            let response = try await uploads.inner.respond(to: asking)
            return response.status.code < 400 ? nil : try judged(response, target)
        } catch is UntouchableBody {
            return nil
        } catch let error as HTTPError {
            guard try isOfName(error.status, target) else { throw error }
            return nil
        }
    }

    private func judged(_ response: Response, _ target: UploadRecord.Target) throws -> Response? {
        try isOfName(response.status, target) ? nil : response
    }

    /// Whether a status says no more than that the name is taken, and it gets another one then.
    private func isOfName(_ status: HTTPResponse.Status, _ target: UploadRecord.Target) throws
        -> Bool
    {
        guard status == .preconditionFailed || status == .methodNotAllowed else { return false }
        switch target.clash {
        case .replace: return false
        case .keepBoth: return true
        case .refuse: throw HTTPError(.conflict, reason: "the name of an upload is taken")
        }
    }
}
