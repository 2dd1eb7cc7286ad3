public import WharfHTTP

extension Response {
    /// The same answer, which also has the client keep a cookie.
    ///
    ///     try Response.text("Welcome").setting(SetCookie("session", token))
    ///
    /// Each has a line of its own. It gets `Secure` when it is sent, if the request has come over TLS
    /// (``Request/isSecure``) and the cookie doesn't say otherwise.
    public func setting(_ cookie: SetCookie) -> Response {
        var response = self
        let line = cookie.description
        response.fields.append(HTTPField(name: .setCookie, value: line))
        if cookie.isSecure == nil {
            response.undecidedCookies = (response.undecidedCookies ?? []) + [line]
        }
        return response
    }

    /// The same answer, with `Secure` where a cookie left it to the connection.
    consuming func decidingCookies(isSecure: Bool) -> Response {
        let lines = undecidedCookies ?? []
        undecidedCookies = nil
        guard isSecure else { return self }
        let all = fields
        fields = [:]
        for field in all {
            let isUndecided = field.name == .setCookie && lines.contains(field.value)
            fields.append(
                isUndecided ? HTTPField(name: .setCookie, value: field.value + "; Secure") : field)
        }
        return self
    }
}

extension Request {
    /// The cookies that the client sent.
    public var cookies: Cookies { Cookies(fields) }
}
