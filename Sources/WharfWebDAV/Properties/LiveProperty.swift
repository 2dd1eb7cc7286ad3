/// The properties that the server knows by itself (RFC 4918 §15, RFC 4331, RFC 5397).
package enum LiveProperty: String, Sendable, CaseIterable {
    case creationDate = "creationdate"
    case currentUserPrincipal = "current-user-principal"
    case displayName = "displayname"
    case contentLength = "getcontentlength"
    case contentType = "getcontenttype"
    case entityTag = "getetag"
    case lastModified = "getlastmodified"
    case lockDiscovery = "lockdiscovery"
    case quotaAvailable = "quota-available-bytes"
    case quotaUsed = "quota-used-bytes"
    case resourceType = "resourcetype"
    case supportedLock = "supportedlock"

    /// The property of a name in `DAV:`.
    package init?(_ name: XMLName) {
        guard name.namespace == "DAV:" else { return nil }
        self.init(rawValue: name.local)
    }

    package var name: XMLName { .dav(rawValue) }

    /// Those that `allprop` asks for.
    ///
    /// RFC 4918 §9.1 wants those of its own §15. `supportedlock` is the same for everything here and
    /// longer than all others together, and Windows refuses a folder of more than 1,000,000 bytes;
    /// so it is left to those who ask for it, as quotas are (RFC 4331 §3).
    package static let usual: [LiveProperty] = [
        .resourceType, .contentLength, .lastModified, .entityTag, .creationDate, .contentType,
        .displayName, .lockDiscovery,
    ]

    /// Those that a file has, or a folder.
    func exists(forFolder isFolder: Bool) -> Bool {
        switch self {
        // Finder takes a folder with a length for a file.
        case .contentLength, .contentType, .entityTag: !isFolder
        case .quotaAvailable, .quotaUsed: isFolder
        default: true
        }
    }
}
