public import WharfHTTP

/// What a client is to do at the place that it is sent to.
public enum Redirection: Int, Sendable, Hashable, CaseIterable {
    /// 301: it has moved for ever; a POST may become a GET.
    case movedPermanently = 301
    /// 302: it is elsewhere for now; a POST may become a GET.
    case found = 302
    /// 303: get this one next, with GET: the answer to a form that was taken.
    case seeOther = 303
    /// 307: ask there, the same way, for now.
    case temporaryRedirect = 307
    /// 308: ask there, the same way, from now on.
    case permanentRedirect = 308

    /// The status of the answer.
    public var status: HTTPResponse.Status { HTTPResponse.Status(integerLiteral: rawValue) }
}

extension Response {
    /// Sends the client to another place: a URL, or a path.
    ///
    /// What can't stand in a URL is percent-encoded, line ends, spaces and backslashes among it, and
    /// what is encoded already stays so. Nothing is said of where it leads: with a `location` that
    /// comes out of a request, somebody can make links to your site that end at his (an open
    /// redirect). Take such a one only from a list of your own, or see ``redirect(toPath:_:)``.
    public static func redirect(
        to location: String, _ redirection: Redirection = .seeOther
    ) -> Response {
        Response(
            status: redirection.status,
            fields: [.location: PercentEncoding.encodeReference(location)])
    }

    /// Sends the client to a path of this site, wherever the path comes from.
    ///
    /// Slashes and backslashes at its start become one slash: a path that begins with two would be
    /// taken for a host.
    public static func redirect(
        toPath path: String, _ redirection: Redirection = .seeOther
    ) -> Response {
        // Browsers drop controls and spaces in front of it.
        let rest = path.unicodeScalars.drop { $0 == "/" || $0 == "\\" || $0.value <= 0x20 }
        return redirect(to: "/" + String(rest), redirection)
    }
}
