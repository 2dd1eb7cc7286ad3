package import WharfHTTP

/// Why a method of WebDAV fails, with the condition that was not met (RFC 4918 §16).
package struct WebDAVError: Error, Sendable {
    /// What RFC 4918 §16 and RFC 4331 §6 have names for.
    package enum Condition: String, Sendable {
        case cannotModifyProtectedProperty = "cannot-modify-protected-property"
        case lockTokenMatchesRequestURI = "lock-token-matches-request-uri"
        case lockTokenSubmitted = "lock-token-submitted"
        case noConflictingLock = "no-conflicting-lock"
        case noExternalEntities = "no-external-entities"
        case propfindFiniteDepth = "propfind-finite-depth"
        case sufficientDiskSpace = "sufficient-disk-space"
        case validResourceType = "valid-resourcetype"
    }

    package let status: HTTPResponse.Status
    package let condition: Condition?
    /// The resources that the condition speaks of.
    package let hrefs: [String]
    /// Why, for the log.
    package let reason: String

    package init(
        _ status: HTTPResponse.Status, _ condition: Condition? = nil, hrefs: [String] = [],
        reason: String = ""
    ) {
        self.status = status
        self.condition = condition
        self.hrefs = hrefs
        self.reason = reason
    }

    /// The body that says so; `nil` without a condition.
    package var body: [UInt8]? {
        guard let condition else { return nil }
        var writer = XMLWriter()
        writer.begin("error")
        writer.condition(condition, hrefs: hrefs)
        writer.finish("error")
        return writer.take()
    }
}

extension XMLWriter {
    /// The element of a condition that was not met.
    package mutating func condition(_ condition: WebDAVError.Condition, hrefs: [String] = []) {
        guard !hrefs.isEmpty else { return empty(.dav(condition.rawValue)) }
        raw("<D:\(condition.rawValue)>".utf8)
        for href in hrefs { element("href", href) }
        raw("</D:\(condition.rawValue)>".utf8)
    }
}
