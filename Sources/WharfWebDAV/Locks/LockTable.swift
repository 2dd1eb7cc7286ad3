/// All locks that are held: a value, asked and changed in one step by who keeps it.
///
/// Times are seconds since 1970. What has expired is as good as gone.
package struct LockTable: Sendable {
    /// Somebody who wants to write: who they are, and the tokens that they sent.
    package struct Holder: Sendable {
        package var user: String?
        package var tokens: Set<String>

        package init(user: String?, tokens: Set<String>) {
            self.user = user
            self.tokens = tokens
        }
    }

    /// What somebody wants to write.
    package enum Target: Sendable {
        /// A resource itself: its content, its properties, and if it is a folder its members.
        case resource(ResourcePath)
        /// A resource with all that lies below it.
        case tree(ResourcePath)
    }

    private var locks: [String: Lock] = [:]
    private var tokens: [ResourcePath: Set<String>] = [:]
    private let countMax: Int

    /// `countMax` bounds how many are held at a time.
    package init(countMax: Int = 10_000) {
        self.countMax = countMax
    }

    /// How many are held, with those that have expired unnoticed.
    package var count: Int { locks.count }

    // MARK: Asking

    /// The lock of a token.
    package func lock(_ token: String, at now: Int64) -> Lock? {
        locks[token].flatMap { $0.expiry > now ? $0 : nil }
    }

    /// The locks that lock a resource, here or further up.
    package func covering(_ path: ResourcePath, at now: Int64) -> [Lock] {
        if locks.isEmpty { return [] }
        let found = rooted(at: path) + path.ancestors.flatMap { rooted(at: $0).filter(\.isDeep) }
        return found.filter { $0.expiry > now }
    }

    /// The locks of what lies below a resource.
    package func below(_ path: ResourcePath, at now: Int64) -> [Lock] {
        locks.values.filter { $0.expiry > now && $0.root.isBelow(path) }
            .sorted { ($0.root.bytes, $0.token) < ($1.root.bytes, $1.token) }
    }

    /// The locks that keep a holder from writing; none if they may.
    ///
    /// Of several shared locks of a resource one is enough.
    package func blocking(_ target: Target, _ holder: Holder, at now: Int64) -> [Lock] {
        if locks.isEmpty { return [] }
        switch target {
        case .resource(let path):
            let found = covering(path, at: now)
            return found.contains { isHeld($0, by: holder) } ? [] : found
        case .tree(let path):
            var blocking = self.blocking(.resource(path), holder, at: now)
            for lock in below(path, at: now)
            where !self.blocking(.resource(lock.root), holder, at: now).isEmpty {
                blocking.append(lock)
            }
            return blocking
        }
    }

    /// The locks that a new one can't stand beside (RFC 4918 §6.2).
    package func conflicts(with new: Lock, at now: Int64) -> [Lock] {
        let others = covering(new.root, at: now) + (new.isDeep ? below(new.root, at: now) : [])
        return others.filter { $0.isExclusive || new.isExclusive }
    }

    // RFC 4918 §6.4: a token alone is no proof; it has to be its owner who sends it.
    private func isHeld(_ lock: Lock, by holder: Holder) -> Bool {
        holder.tokens.contains(lock.token) && lock.user == holder.user
    }

    private func rooted(at path: ResourcePath) -> [Lock] {
        (tokens[path] ?? []).sorted().compactMap { locks[$0] }
    }

    // MARK: Changing

    /// Adds a lock that conflicts with none; false when there are too many.
    package mutating func add(_ lock: Lock, at now: Int64) -> Bool {
        if locks.count >= countMax { remove(where: { $0.expiry <= now }) }
        guard locks.count < countMax else { return false }
        locks[lock.token] = lock
        tokens[lock.root, default: []].insert(lock.token)
        return true
    }

    /// Lets a lock begin anew (RFC 4918 §9.10.2); `nil` if there is none.
    package mutating func refresh(_ token: String, timeout: Int64, at now: Int64) -> Lock? {
        guard var lock = lock(token, at: now) else { return nil }
        lock.timeout = timeout
        lock.expiry = now + timeout
        locks[token] = lock
        return lock
    }

    /// Ends a lock.
    package mutating func remove(_ token: String) {
        guard let lock = locks.removeValue(forKey: token) else { return }
        tokens[lock.root]?.remove(token)
        if tokens[lock.root]?.isEmpty == true { tokens[lock.root] = nil }
    }

    /// Ends the locks of a resource that is no more, and of all below: which they were.
    package mutating func remove(within path: ResourcePath) -> [Lock] {
        remove { $0.root.isWithin(path) }
    }

    @discardableResult
    private mutating func remove(where isEnded: (Lock) -> Bool) -> [Lock] {
        let ended = locks.values.filter(isEnded)
        for lock in ended { remove(lock.token) }
        return ended
    }
}

private func < (left: ([UInt8], String), right: ([UInt8], String)) -> Bool {
    if left.0 == right.0 { return left.1 < right.1 }
    return left.0.lexicographicallyPrecedes(right.0)
}
