import WharfNet

/// The locks of one share: the table in memory, and the store behind it.
///
/// What is asked is answered from memory. What changes goes to the store, too, so it is for the pool.
package final class Locks: Sendable {
    private let table: Locked<LockTable>
    private let store: any LockStore

    /// Takes up what the store has kept; throws what the store throws.
    package init(store: any LockStore = NoLockStore(), now: Int64) throws {
        var table = LockTable()
        for lock in try store.locks() where lock.expiry > now { _ = table.add(lock, at: now) }
        self.table = Locked(table)
        self.store = store
    }

    /// Whether nothing is locked at all.
    package var isEmpty: Bool { table.withLock { $0.count == 0 } }

    /// Asks the table.
    package func read<R>(_ body: (LockTable) throws -> R) rethrows -> R {
        try table.withLock { try body($0) }
    }

    /// What became of a wish for a lock.
    package enum Outcome: Sendable {
        case granted
        /// These stand in its way.
        case conflicts([Lock])
        /// There are too many already.
        case full
    }

    /// Adds a lock unless others stand in its way.
    package func add(_ lock: Lock, at now: Int64) throws -> Outcome {
        let outcome: Outcome = table.withLock { table in
            let conflicts = table.conflicts(with: lock, at: now)
            guard conflicts.isEmpty else { return .conflicts(conflicts) }
            return table.add(lock, at: now) ? .granted : .full
        }
        guard case .granted = outcome else { return outcome }
        do {
            try store.keep(lock)
        } catch {
            table.withLock { $0.remove(lock.token) }
            throw error
        }
        return outcome
    }

    /// Lets a lock begin anew; `nil` if there is none.
    package func refresh(_ token: String, timeout: Int64, at now: Int64) throws -> Lock? {
        let lock = table.withLock { $0.refresh(token, timeout: timeout, at: now) }
        if let lock { try store.keep(lock) }
        return lock
    }

    /// Ends a lock.
    package func remove(_ token: String) throws {
        table.withLock { $0.remove(token) }
        try store.forget([token])
    }

    /// Ends the locks of a resource that is no more, and of all below: which they were.
    @discardableResult
    package func remove(within path: ResourcePath) throws -> [Lock] {
        let ended = table.withLock { $0.remove(within: path) }
        if !ended.isEmpty { try store.forget(ended.map(\.token)) }
        return ended
    }
}
