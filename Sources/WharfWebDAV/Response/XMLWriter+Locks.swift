extension XMLWriter {
    /// The locks of a resource (RFC 4918 §15.8); `prefix` is what hrefs begin with.
    mutating func lockDiscovery(_ locks: [Lock], prefix: String, now: Int64) {
        start("lockdiscovery")
        for lock in locks {
            start("activelock")
            raw("<D:locktype><D:write/></D:locktype><D:lockscope>".utf8)
            empty(lock.isExclusive ? "exclusive" : "shared")
            raw("</D:lockscope>".utf8)
            element("depth", lock.isDeep ? "infinity" : "0")
            raw(lock.owner)
            element("timeout", "Second-\(max(0, lock.expiry - now))")
            start("locktoken")
            element("href", lock.token)
            end("locktoken")
            start("lockroot")
            element("href", prefix + lock.root.href(isFolder: lock.isFolder))
            end("lockroot")
            end("activelock")
        }
        end("lockdiscovery")
    }
}
