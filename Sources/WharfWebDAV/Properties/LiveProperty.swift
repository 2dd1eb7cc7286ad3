/// The properties that the server knows by itself (RFC 4918 §15, RFC 4331, RFC 5397), and ownCloud's
/// checksums.
package enum LiveProperty: String, Sendable, CaseIterable {
    case checksums
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

    /// The property of a name.
    package init?(_ name: XMLName) {
        guard let property = Self(rawValue: name.local), property.name.namespace == name.namespace
        else { return nil }
        self = property
    }

    package var name: XMLName {
        self == .checksums
            ? XMLName(namespace: "http://owncloud.org/ns", rawValue) : .dav(rawValue)
    }

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
        case .checksums, .contentLength, .contentType, .entityTag: !isFolder
        case .quotaAvailable, .quotaUsed: isFolder
        default: true
        }
    }
}
