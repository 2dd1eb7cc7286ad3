/// What went wrong in a simulation, and how to see it again.
package struct SimulationFailure: Error, CustomStringConvertible {
    package let seed: UInt64
    /// What `swift test --filter` is to be given.
    package let filter: String
    /// What went wrong.
    package let what: String
    /// The last things that happened before.
    package let lastEvents: String

    package var description: String {
        """
        \(what)
        replay: WHARF_SEED=\(seed) swift test --filter \(filter)
        \(lastEvents)
        """
    }
}
