import Foundation

/// Seeds from the environment, to replay one and to run others than the usual ones.
enum SimulatedSeeds {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// WHARF_SEED replays one seed.
    static let replayed = number("WHARF_SEED")
    /// WHARF_FIRST_SEED begins elsewhere than at 1: `make simulate` does, and says where.
    static let first = replayed ?? number("WHARF_FIRST_SEED") ?? 1
    /// Virtual hours, which WHARF_SIMULATED_HOURS changes.
    static let hours = Int(number("WHARF_SIMULATED_HOURS") ?? 10)
}
