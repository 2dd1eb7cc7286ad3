import Synchronization
import WharfNet

/// What a drive remembers of a resource that is being removed, until it is known that all of it can be.
final class Removal: Sendable {
    /// Below it lie the properties of what is being removed: no resource has such a path.
    static let shelf = ResourcePath(bytes: [0])

    private static let count = Atomic<UInt64>(0)

    private let path: ResourcePath
    private let place: ResourcePath
    private let locks = Locked<[Lock]>([])

    /// `nil` for a change that removes nothing.
    init?(of change: DriveChange) {
        guard case .removed(let path) = change else { return nil }
        self.path = path
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        place = Self.shelf.appending("\(number)".utf8)
    }

    /// The resource has no name any more.
    func begin(in state: DriveState) throws {
        let ended = try state.locks.remove(within: path)
        locks.withLock { $0 = ended }
        if state.properties.mayHaveAny { try state.properties.move(path, to: place) }
    }

    /// The resource has its name again, with what of it could not be removed.
    ///
    /// What was set on that which is gone is forgotten when something else gets its path.
    func takeBack(in state: DriveState) throws {
        if state.properties.mayHaveAny { try state.properties.move(place, to: path) }
        let now = System.withoutLoop.unixTime()
        for lock in locks.withLock(\.self) where lock.expiry > now {
            // Whoever got one in between keeps it.
            _ = try state.locks.add(lock, at: now)
        }
    }

    /// All of it is gone.
    func end(in state: DriveState) throws {
        if state.properties.mayHaveAny { try state.properties.remove(within: place) }
    }
}
