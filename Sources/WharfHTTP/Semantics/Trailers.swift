/// Fields that follow a chunked body (RFC 9110 §6.5).
extension HTTPFields {
    /// Whether whoever sent them keeps the trailers of an answer: `TE: trailers` (§10.1.4).
    package var keepTrailers: Bool {
        guard let value = self[.te] else { return false }
        return QualityList(parsing: value).items.contains {
            $0.name == "trailers" && $0.quality > 0
        }
    }

    /// The first field that must not stand in a trailer, if there is one.
    ///
    /// RFC 9110 §6.5.1: what frames a message, routes it, authenticates, or says how to take its
    /// content, is needed before the content. Cookies and what caches need are no later use, either.
    package var firstForbiddenTrailer: HTTPField.Name? {
        map(\.name).first { Self.forbiddenTrailers.contains($0) }
    }

    private static let forbiddenTrailers: Set<HTTPField.Name> = [
        .contentLength, .transferEncoding, .host, .connection, .upgrade, .te, .trailer, .expect,
        .maxForwards, .range, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        .ifRange, .authorization, .proxyAuthenticate, .proxyAuthorization, .wwwAuthenticate,
        .cookie, .setCookie, .age, .cacheControl, .expires, .date, .location, .retryAfter, .vary,
        .contentEncoding, .contentType, .contentRange, .acceptRanges,
    ]
}
