import WharfHTTP
import WharfServer

extension WebDAVHandler {
    /// OPTIONS (RFC 4918 §9.1, §18): what can be asked, whether or not there is something.
    ///
    /// With a body it would be understood as well, but nobody has given one a meaning.
    func options(_ request: Request) -> Response {
        // Some clients on phones take nothing but 200.
        var response = Response(fields: [.allow: allow, .acceptRanges: "bytes"])
        if self.options.allowsPartialWrites {
            response.fields[.acceptPatch] = WebDAVExchange.patchType
        }
        return response
    }
}
