/// What LOCK asks for (RFC 4918 §14.11).
package struct LockBody: Sendable, Hashable {
    package var isExclusive: Bool
    /// The markup of the `owner` element; empty if there is none.
    package var owner: [UInt8]

    /// Understands a `lockinfo`, or `nil` if it asks for no write lock of one scope.
    package init?(_ root: XMLElement) {
        guard root.name == .dav("lockinfo"),
            let scope = root.first(.dav("lockscope"))?.elements.map(\.name), scope.count == 1,
            root.first(.dav("locktype"))?.first(.dav("write")) != nil
        else { return nil }
        switch scope[0] {
        case .dav("exclusive"): isExclusive = true
        case .dav("shared"): isExclusive = false
        default: return nil
        }
        owner =
            root.first(.dav("owner")).map {
                XMLFragment.markup(of: $0, in: XMLScope().inside(root))
            } ?? []
        // It is told of everything that the lock covers.
        guard owner.count <= Self.ownerByteCountMax else { return nil }
    }

    private static let ownerByteCountMax = 4096
}
