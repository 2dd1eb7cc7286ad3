/// Something that waits in a ``DeadlineWheel``; it belongs to one loop and is used only there.
///
/// An entry that is armed anew with a later time stays where it is and looks again when its old
/// time comes: most deadlines move on before they are met, and moving on must cost nothing.
package class TimedEntry: @unchecked Sendable {
    // @unchecked: used on its loop's thread only; others just hand it to `EventLoop.interrupt`.

    // The entry's owner removes it before it dies, so the links never dangle.
    @safe fileprivate(set) unowned(unsafe) var next: TimedEntry?
    @safe fileprivate(set) unowned(unsafe) var previous: TimedEntry?
    @exclusivity(unchecked) fileprivate var tick: UInt64 = 0
    @exclusivity(unchecked) fileprivate(set) var isArmed = false

    package init() {}

    /// The time has come, or an earlier one that was set before.
    ///
    /// Answers when to look again, in nanoseconds, or `nil` to leave the wheel.
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

    @exclusivity(unchecked) private var slots = [Slot](repeating: Slot(), count: Int(slotCount))
    /// One bit a slot and one bit a word of those, so that the next one in use is found at once.
    @exclusivity(unchecked) private var occupied = Bitmap()
    @exclusivity(unchecked) private var currentTick: UInt64

    /// Starts at a time in nanoseconds.
    package init(now: UInt64) {
        unsafe currentTick = now >> Self.tickShift
    }

    /// Makes sure that the entry is looked at by `deadline`, in nanoseconds.
    package func arm(_ entry: TimedEntry, by deadline: UInt64) {
        let wanted = tick(for: deadline)
        if unsafe entry.isArmed {
            if unsafe entry.tick <= wanted { return }
            remove(entry)
        }
        insert(entry, at: wanted)
    }

    /// Takes the entry out.
    ///
    /// Does nothing when it is not in.
    package func remove(_ entry: TimedEntry) {
        guard unsafe entry.isArmed else { return }
        unsafe entry.isArmed = false
        let index = unsafe Int(entry.tick & Self.slotMask)
        entry.next?.previous = entry.previous
        if let previous = entry.previous {
            previous.next = entry.next
        } else {
            unsafe slots[index].first = entry.next
            if entry.next == nil { unsafe occupied.clear(index) }
        }
        entry.next = nil
        entry.previous = nil
    }

    /// Fires all that is due at `now`, in nanoseconds.
    package func advance(to now: UInt64) {
        let nowTick = now >> Self.tickShift
        guard unsafe nowTick > currentTick else { return }
        let last = unsafe min(nowTick, currentTick + Self.slotCount)
        var tick = unsafe currentTick + 1
        unsafe currentTick = nowTick
        while tick <= last {
            guard let found = nextOccupied(from: tick, through: last) else { return }
            empty(Int(found & Self.slotMask), now: now)
            tick = found + 1
        }
    }

    /// When the next entry is to be looked at, in nanoseconds, or `nil` when there is none.
    package var nextTime: UInt64? {
        let first = unsafe currentTick + 1
        return nextOccupied(from: first, through: first + Self.slotMask)
            .map { $0 << Self.tickShift }
    }

    private func empty(_ index: Int, now: UInt64) {
        // The whole list is taken first: an entry may come back into the same slot.
        var entry = unsafe slots[index].first
        unsafe slots[index].first = nil
        unsafe occupied.clear(index)
        while let due = entry {
            entry = due.next
            entry?.previous = nil
            due.next = nil
            unsafe due.isArmed = false
            if let again = due.fire(at: now) { insert(due, at: tick(for: again)) }
        }
    }

    private func insert(_ entry: TimedEntry, at tick: UInt64) {
        let index = Int(tick & Self.slotMask)
        unsafe entry.tick = tick
        unsafe entry.isArmed = true
        entry.previous = nil
        entry.next = unsafe slots[index].first
        entry.next?.previous = entry
        unsafe slots[index].first = entry
        unsafe occupied.set(index)
    }

    private func tick(for deadline: UInt64) -> UInt64 {
        // Rounded up, so that nothing fires early.
        let roundedUp = (deadline >> Self.tickShift) + 1
        return unsafe min(max(roundedUp, currentTick + 1), currentTick + Self.slotMask)
    }

    private func nextOccupied(from first: UInt64, through last: UInt64) -> UInt64? {
        guard first <= last else { return nil }
        let start = Int(first & Self.slotMask)
        let distance: Int
        if let slot = unsafe occupied.first(from: start) {
            distance = slot - start
        } else if let slot = unsafe occupied.first(from: 0) {
            distance = slot + Int(Self.slotCount) - start
        } else {
            return nil
        }
        let found = first + UInt64(distance)
        return found <= last ? found : nil
    }
}

/// 4,096 bits in two levels.
private struct Bitmap {
    private var words = [UInt64](repeating: 0, count: 64)
    /// The words that are not 0.
    private var summary: UInt64 = 0

    mutating func set(_ index: Int) {
        words[index >> 6] |= 1 << UInt64(index & 63)
        summary |= 1 << UInt64(index >> 6)
    }

    mutating func clear(_ index: Int) {
        words[index >> 6] &= ~(1 << UInt64(index & 63))
        if words[index >> 6] == 0 { summary &= ~(1 << UInt64(index >> 6)) }
    }

    /// The first bit that is set, from `index` on.
    func first(from index: Int) -> Int? {
        let here = words[index >> 6] >> UInt64(index & 63)
        if here != 0 { return index + here.trailingZeroBitCount }
        // Smart shifts: one by 64 leaves nothing.
        let later = summary & (UInt64.max << UInt64((index >> 6) + 1))
        guard later != 0 else { return nil }
        let word = later.trailingZeroBitCount
        return word << 6 + words[word].trailingZeroBitCount
    }
}
