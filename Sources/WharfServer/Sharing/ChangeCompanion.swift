/// What goes along with a change of a ``Share``, such as the properties and locks of what is moved.
///
/// Its closures run on the pool, one after the other, and while no other change does unless it is said.
package struct ChangeCompanion: Sendable {
    /// Looks whether the change may be made, once everything else is ready; throws why not.
    package var before: @Sendable () throws -> Void
    /// The change could not be made after all.
    package var failed: @Sendable () -> Void
    /// The change has been made.
    package var after: @Sendable () throws -> Void
    /// What was removed has its name again, because some of it could not be removed.
    package var restored: @Sendable () throws -> Void
    /// All of what was removed is gone for good.
    ///
    /// Other changes may be made at the same time.
    package var gone: @Sendable () throws -> Void

    /// Nothing goes along, unless it is said.
    package init(
        before: @escaping @Sendable () throws -> Void = {},
        failed: @escaping @Sendable () -> Void = {},
        after: @escaping @Sendable () throws -> Void = {},
        restored: @escaping @Sendable () throws -> Void = {},
        gone: @escaping @Sendable () throws -> Void = {}
    ) {
        self.before = before
        self.failed = failed
        self.after = after
        self.restored = restored
        self.gone = gone
    }
}

extension Share {
    /// Makes a short change of names while no other one is made, and what goes along with it.
    ///
    /// It may wait for the disk: for the pool only. Throws what the closures throw.
    package func change<Value>(
        _ companion: ChangeCompanion, _ check: () throws -> Void = {}, _ body: () throws -> Value
    ) throws -> Value {
        try change {
            try check()
            try companion.before()
            let value: Value
            do {
                value = try body()
            } catch {
                companion.failed()
                throw error
            }
            try companion.after()
            return value
        }
    }
}
