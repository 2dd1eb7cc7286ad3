/// Keeps locks over a restart.
///
/// Its calls may wait for a disk: they are made on the server's pool.
package protocol LockStore: Sendable {
    /// The locks that were kept.
    func locks() throws -> [Lock]
    /// Keeps a lock, or what it has become.
    func keep(_ lock: Lock) throws
    /// Forgets locks.
    func forget(_ tokens: [String]) throws
}

/// Keeps nothing: locks end with the process.
package struct NoLockStore: LockStore {
    package init() {}
    package func locks() -> [Lock] { [] }
    package func keep(_ lock: Lock) {}
    package func forget(_ tokens: [String]) {}
}
