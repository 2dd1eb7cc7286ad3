public import WharfHTTP

/// What an answer says of its version, how long it may be kept, and whether it is to be saved.
///
/// An answer 200 to GET or HEAD that has an ETag or a Last-Modified obeys the request's conditions
/// by itself: the server answers 304 or 412 in its place (RFC 9110 §13.2.2), and sends the part
/// that a Range asks for if the body is in memory or a file. `Accept-Ranges: none` among the
/// fields keeps it from that, and `bytes` allows it without a version.
extension Response {
    /// The tag that tells this version of the content from others.
    public var eTag: EntityTag? {
        get { fields[.eTag].flatMap { EntityTag(parsing: $0) } }
        set { fields[.eTag] = newValue?.description }
    }

    /// When the content changed last.
    public var lastModified: HTTPDate? {
        get { fields[.lastModified].flatMap { HTTPDate($0) } }
        set { fields[.lastModified] = newValue?.description }
    }

    /// The same answer, which clients may keep so long before they ask again.
    ///
    /// Whole seconds count. With none, or fewer, they may keep it but are to ask each time
    /// (`no-cache`), which costs a 304 when the answer has a version.
    public func cached(for age: Duration) -> Response {
        var response = self
        response.fields[.cacheControl] = Self.cacheControl(age)
        return response
    }

    /// The same answer, which browsers save as a file instead of showing it.
    ///
    /// Without a name they take the last part of the URL.
    public func asAttachment(named name: String? = nil) -> Response {
        var response = self
        response.fields[.contentDisposition] = ContentDisposition.attachment(named: name)
        return response
    }

    /// The value of Cache-Control for an age.
    static func cacheControl(_ age: Duration) -> String {
        age >= .seconds(1) ? "max-age=\(age.components.seconds)" : "no-cache"
    }
}
