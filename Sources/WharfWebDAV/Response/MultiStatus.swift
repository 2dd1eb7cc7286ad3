import WharfHTTP
import WharfServer

/// Writes the parts of a `multistatus` (RFC 4918 §13).
extension XMLWriter {
    /// A resource with nothing but a status.
    mutating func response(
        href: String, _ status: HTTPResponse.Status, condition: WebDAVError.Condition? = nil
    ) {
        start("response")
        element("href", href)
        self.status(status)
        if let condition {
            start("error")
            self.condition(condition)
            end("error")
        }
        end("response")
    }

    /// The line of a status.
    mutating func status(_ status: HTTPResponse.Status) {
        raw("<D:status>HTTP/1.1 \(status.code) \(status.reasonPhrase)</D:status>".utf8)
    }
}

extension Response {
    /// The type of every body of XML that is sent.
    static let xmlType = "application/xml; charset=\"utf-8\""

    /// A `multistatus` that is there whole.
    static func multiStatus(_ write: (inout XMLWriter) -> Void) -> Response {
        var writer = XMLWriter()
        writer.begin("multistatus")
        write(&writer)
        writer.finish("multistatus")
        return .bytes(writer.take(), contentType: xmlType, status: .multiStatus)
    }
}
