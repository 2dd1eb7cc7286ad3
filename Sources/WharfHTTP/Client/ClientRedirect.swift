/// What a redirect makes of a request (RFC 9110 §15.4).
struct ClientRedirect: Sendable, Hashable {
    let method: HTTPRequest.Method
    /// Whether the body goes along.
    let keepsBody: Bool

    /// `nil` when the status is none that is followed by itself.
    init?(_ status: HTTPResponse.Status, _ method: HTTPRequest.Method) {
        switch status.code {
        case 301, 302:
            // RFC 9110 §15.4.2: all clients turn POST, and only POST, into GET here.
            self.method = method == .post ? .get : method
            keepsBody = method != .post
        case 303:
            self.method = method == .head ? .head : .get
            keepsBody = false
        case 307, 308:
            self.method = method
            keepsBody = true
        default: return nil
        }
    }

    /// Fields that say something of a body which is not sent again.
    static let fieldsOfBody: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentRange, .expect,
        .trailer, HTTPField.Name(unchecked: "Content-Digest"),
        HTTPField.Name(unchecked: "Repr-Digest"), .contentDisposition,
    ]

    /// Fields that are for nobody but the origin that they were meant for.
    static let fieldsOfOrigin: [HTTPField.Name] = [
        .authorization, .cookie, .proxyAuthorization, .host,
    ]
}
