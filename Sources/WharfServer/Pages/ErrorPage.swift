import WharfHTTP

/// The page that people see of an error.
///
/// It has no script, loads nothing, and says nothing about the request or the server.
enum ErrorPage {
    /// What the page's policy lets through: the SHA-256 of ``style``, which a test compares.
    static let styleHash = "sha256-GyQ6rxGFo5D2f5evYsVKCkR8oRZpPSx+yT6qi93yELE="

    static let style = """
        :root{color-scheme:light dark;--text:#1c1e21;--dim:#667078;--back:#fff}
        @media(prefers-color-scheme:dark){:root{--text:#e4e6e8;--dim:#98a1a8;--back:#16191c}}
        body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;\
        background:var(--back);color:var(--text);padding:0 1.5rem;box-sizing:border-box;\
        font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        b{font-size:4.5rem;line-height:1;font-weight:250;color:var(--dim);letter-spacing:.04em}
        h1{font-size:1.35rem;font-weight:600;margin:1rem 0 .25rem}
        p{margin:0 0 12vh;color:var(--dim);max-width:28rem}
        """

    private static let contentSecurityPolicy =
        "default-src 'none'; style-src '\(styleHash)'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    static func response(_ status: HTTPResponse.Status) -> Response {
        let phrase = status.reasonPhrase.escapedForHTML
        let page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(status.code) \(phrase)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <b>\(status.code)</b>
            <h1>\(phrase)</h1>
            <p>\(advice(status))</p>
            </main>
            </body>
            </html>

            """
        var response = Response.html(page, status: status)
        response.fields[.contentSecurityPolicy] = contentSecurityPolicy
        return response
    }

    /// What whoever sees the page can make of it.
    private static func advice(_ status: HTTPResponse.Status) -> String {
        switch status.code {
        case 401: "You have to log in to see this."
        case 403: "You may not see or do this here."
        case 404, 410: "There is nothing at this address. Maybe the link is old or mistyped."
        case 405: "This address can't be asked that way."
        case 413: "What you sent is larger than this server takes."
        case 429: "There were too many attempts. Please wait a while."
        case 503: "The server is busy. Please try again in a moment."
        case 507: "The server has no room left."
        case 500...599: "Something went wrong on the server. Please try again later."
        default: "The server didn't take this request."
        }
    }
}
