/// A write lock (RFC 4918 §7).
package struct Lock: Sendable, Hashable {
    /// `urn:uuid:` and a random UUID, so that none is ever given twice.
    package let token: String
    /// What was locked.
    package let root: ResourcePath
    /// Whether that was a folder, whose URL ends in a slash.
    package let isFolder: Bool
    package let isExclusive: Bool
    /// Whether all below is locked as well.
    package let isDeep: Bool
    /// What the client says of itself: an `owner` element, or nothing.
    package let owner: [UInt8]
    /// Who asked for it; `nil` when nobody has to prove who they are.
    package let user: String?
    /// How long it was granted for, in seconds.
    package var timeout: Int64
    /// The second since 1970 at which it ends by itself.
    package var expiry: Int64

    package init(
        token: String, root: ResourcePath, isFolder: Bool, isExclusive: Bool, isDeep: Bool,
        owner: [UInt8], user: String?, timeout: Int64, expiry: Int64
    ) {
        self.token = token
        self.root = root
        self.isFolder = isFolder
        self.isExclusive = isExclusive
        self.isDeep = isDeep
        self.owner = owner
        self.user = user
        self.timeout = timeout
        self.expiry = expiry
    }

    /// Whether it locks a resource, be it by locking a folder further up.
    package func covers(_ path: ResourcePath) -> Bool {
        path == root || isDeep && path.isBelow(root)
    }
}
