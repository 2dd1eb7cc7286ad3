/// What happened in a simulation, as one number and the last lines of it.
///
/// Two runs that have the same hash after the same count did the same in the same order.
package struct EventTrace: Sendable, Equatable {
    /// One thing that happened.
    package enum Kind: UInt8, Sendable {
        case turn, pool, deliver, jump
        case event, accept, receive, send, finish, reset, close, connect
    }

    private struct Entry: Sendable, Equatable {
        var kind: Kind
        var who: Int
        var what: Int
        var time: UInt64
    }

    private static let keptCount = 64

    /// It depends on everything noted so far, and on the order.
    package private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How much was noted.
    package private(set) var count = 0
    private var recent: [Entry] = []

    mutating func note(_ kind: Kind, _ who: Int, _ what: Int, at time: UInt64) {
        let entry = Entry(kind: kind, who: who, what: what, time: time)
        mix(UInt64(kind.rawValue))
        mix(UInt64(truncatingIfNeeded: who))
        mix(UInt64(truncatingIfNeeded: what))
        mix(time)
        if recent.count < Self.keptCount {
            recent.append(entry)
        } else {
            recent[count % Self.keptCount] = entry
        }
        count += 1
    }

    private mutating func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x0000_0100_0000_01B3
        hash ^= hash >> 29
    }

    /// The last things that happened, one a line, the latest last.
    package var lastLines: String {
        let start = count > Self.keptCount ? count % Self.keptCount : 0
        return (recent[start...] + recent[..<start])
            .map { "\($0.time) \($0.kind) \($0.who) \($0.what)" }
            .joined(separator: "\n")
    }
}
