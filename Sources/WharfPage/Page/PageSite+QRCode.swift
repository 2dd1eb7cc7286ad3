import WharfHTTP
import WharfServer

extension PageSite {
    /// Answers with a picture of a text that a phone's camera can read: `GET /.wharf/qr?text=http://...`.
    ///
    /// Throws 400 without a text, 413 for one that is too long.
    func codePicture(_ request: Request) throws -> Response {
        let query = request.query.flatMap { URLEncodedForm(parsing: $0, fieldCountMax: 8) }
        guard let text = query?["text"], !text.isEmpty else {
            throw HTTPError(.badRequest, reason: "a code of nothing")
        }
        guard let code = QRCode(text) else {
            throw HTTPError(.contentTooLarge, reason: "too much text for a code")
        }
        let side = code.size + 2 * Self.margin
        let picture = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="\(-Self.margin) \(-Self.margin) \
            \(side) \(side)" shape-rendering="crispEdges"><path fill="#fff" \
            d="M\(-Self.margin) \(-Self.margin)h\(side)v\(side)h-\(side)z"/>\
            <path d="\(code.svgPath)"/></svg>

            """
        var response = Response.bytes(Array(picture.utf8), contentType: "image/svg+xml")
        response.fields = [
            .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; sandbox",
        ]
        return response
    }

    /// Light modules around the code.
    private static let margin = 4
}
