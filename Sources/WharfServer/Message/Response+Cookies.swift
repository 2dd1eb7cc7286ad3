public import WharfHTTP

extension Response {
    /// The same answer, which also has the client keep a cookie.
    ///
    ///     try Response.text("Welcome").setting(SetCookie("session", token, isSecure: true))
    ///
    /// Each has a line of its own.
    public func setting(_ cookie: SetCookie) -> Response {
        var response = self
        response.fields.append(HTTPField(name: .setCookie, value: cookie.description))
        return response
    }
}

extension Request {
    /// The cookies that the client sent.
    public var cookies: Cookies { Cookies(fields) }
}
