import WharfHTTP
import WharfServer

/// What is wrong with a request for an upload, as clients can understand it (RFC 9457).
enum ResumableProblem: Error, Sendable, Hashable {
    case mismatchingOffset(expected: Int64, provided: Int64)
    case completed
    case inconsistentLength

    private static let base = "https://iana.org/assignments/http-problem-types#"

    var status: HTTPResponse.Status {
        if case .mismatchingOffset = self { .conflict } else { .badRequest }
    }

    private var name: String {
        switch self {
        case .mismatchingOffset: "mismatching-upload-offset"
        case .completed: "completed-upload"
        case .inconsistentLength: "inconsistent-upload-length"
        }
    }

    private var title: String {
        switch self {
        case .mismatchingOffset: "offset from request does not match offset of resource"
        case .completed: "upload is already completed"
        case .inconsistentLength: "inconsistent length values for upload"
        }
    }

    /// For the log.
    var reason: String {
        if case .mismatchingOffset(let expected, let provided) = self {
            return "Upload-Offset \(provided), not \(expected)"
        }
        return title
    }

    /// The answer, with a body where the dialect knows one.
    func response(_ dialect: ResumableDialect) -> Response {
        var response = Response.status(status)
        if dialect.hasProblems {
            var text = "{\"type\":\"\(Self.base)\(name)\",\"title\":\"\(title)\""
            if case .mismatchingOffset(let expected, let provided) = self {
                text += ",\"expected-offset\":\(expected),\"provided-offset\":\(provided)"
            }
            response = .bytes(
                Array((text + "}").utf8), contentType: "application/problem+json", status: status)
        }
        if case .mismatchingOffset(let expected, _) = self {
            response.fields[.uploadOffset] = "\(expected)"
        }
        dialect.setComplete(self == .completed, in: &response.fields)
        return response
    }
}
