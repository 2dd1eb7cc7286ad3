/// Something that waits in a ``DeadlineWheel``; it belongs to one loop and is used only there.
///
/// An entry that is armed anew with a later time stays where it is and looks again when its old
/// time comes: most deadlines move on before they are met, and moving on must cost nothing.
package class TimedEntry: @unchecked Sendable {
    // @unchecked: used on its loop's thread only; others just hand it to `EventLoop.interrupt`.

    // The entry's owner removes it before it dies, so the links never dangle.
    @safe fileprivate(set) unowned(unsafe) var next: TimedEntry?
    @safe fileprivate(set) unowned(unsafe) var previous: TimedEntry?
    fileprivate var tick: UInt64 = 0
    fileprivate(set) var isArmed = false

    package init() {}

    /// The time has come, or an earlier one that was set before. Answers when to look again,
    /// in nanoseconds, or `nil` to leave the wheel.
    package func fire(at now: UInt64) -> UInt64? { nil }

    /// Whoever waits here is to stop waiting.
    package func interrupt() {}
}

/// The deadlines of one loop: a ring of lists, one for each 4.2 milliseconds of the next 17 seconds.
///
/// Arming, moving on and removing take constant time and no memory. A deadline is met at most one
/// tick late and never early. Later ones than the ring's end are looked at again at its end.
package final class DeadlineWheel {
    private static let tickShift: UInt64 = 22
    private static let slotCount: UInt64 = 4096
    private static let slotMask = slotCount - 1

    @safe private struct Slot {
        unowned(unsafe) var first: TimedEntry?
    }

    private var slots = [Slot](repeating: Slot(), count: Int(slotCount))
    /// One bit a slot, so that the next one in use is found without a walk.
    private var occupied = [UInt64](repeating: 0, count: Int(slotCount / 64))
    private var currentTick: UInt64

    /// Starts at a time in nanoseconds.
    package init(now: UInt64) {
        currentTick = now >> Self.tickShift
    }

    /// Makes sure that the entry is looked at by `deadline`, in nanoseconds.
    package func arm(_ entry: TimedEntry, by deadline: UInt64) {
        let wanted = tick(for: deadline)
        if entry.isArmed {
            if entry.tick <= wanted { return }
            remove(entry)
        }
        insert(entry, at: wanted)
    }

    /// Takes the entry out. Does nothing when it is not in.
    package func remove(_ entry: TimedEntry) {
        guard entry.isArmed else { return }
        entry.isArmed = false
        let index = Int(entry.tick & Self.slotMask)
        entry.next?.previous = entry.previous
        if let previous = entry.previous {
            previous.next = entry.next
        } else {
            unsafe slots[index].first = entry.next
            if entry.next == nil { occupied[index / 64] &= ~(1 << UInt64(index % 64)) }
        }
        entry.next = nil
        entry.previous = nil
    }

    /// Fires all that is due at `now`, in nanoseconds.
    package func advance(to now: UInt64) {
        let nowTick = now >> Self.tickShift
        guard nowTick > currentTick else { return }
        let last = min(nowTick, currentTick + Self.slotCount)
        var tick = currentTick + 1
        currentTick = nowTick
        while tick <= last {
            guard let found = nextOccupied(from: tick, through: last) else { return }
            empty(Int(found & Self.slotMask), now: now)
            tick = found + 1
        }
    }

    /// When the next entry is to be looked at, in nanoseconds, or `nil` when there is none.
    package var nextTime: UInt64? {
        let first = currentTick + 1
        return nextOccupied(from: first, through: first + Self.slotMask)
            .map { $0 << Self.tickShift }
    }

    private func empty(_ index: Int, now: UInt64) {
        // The whole list is taken first: an entry may come back into the same slot.
        var entry = unsafe slots[index].first
        unsafe slots[index].first = nil
        occupied[index / 64] &= ~(1 << UInt64(index % 64))
        while let due = entry {
            entry = due.next
            entry?.previous = nil
            due.next = nil
            due.isArmed = false
            if let again = due.fire(at: now) { insert(due, at: tick(for: again)) }
        }
    }

    private func insert(_ entry: TimedEntry, at tick: UInt64) {
        let index = Int(tick & Self.slotMask)
        entry.tick = tick
        entry.isArmed = true
        entry.previous = nil
        entry.next = unsafe slots[index].first
        entry.next?.previous = entry
        unsafe slots[index].first = entry
        occupied[index / 64] |= 1 << UInt64(index % 64)
    }

    private func tick(for deadline: UInt64) -> UInt64 {
        // Rounded up, so that nothing fires early.
        let roundedUp = (deadline >> Self.tickShift) + 1
        return min(max(roundedUp, currentTick + 1), currentTick + Self.slotMask)
    }

    private func nextOccupied(from first: UInt64, through last: UInt64) -> UInt64? {
        var tick = first
        while tick <= last {
            let index = tick & Self.slotMask
            let word = occupied[Int(index / 64)] >> (index % 64)
            if word != 0 {
                let found = tick + UInt64(word.trailingZeroBitCount)
                return found <= last ? found : nil
            }
            tick += 64 - index % 64
        }
        return nil
    }
}
