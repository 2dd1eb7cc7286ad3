import Testing
import WharfTesting

@testable import WharfNet

/// An entry with a deadline that notes when it was met.
private final class Deadline: TimedEntry, @unchecked Sendable {
    var time: UInt64
    var metAt: [UInt64] = []
    var lookCount = 0
    /// When it comes back after having been met.
    var again: ((UInt64) -> UInt64?)?

    init(_ time: UInt64) {
        self.time = time
    }

    override func fire(at now: UInt64) -> UInt64? {
        lookCount += 1
        guard now >= time else { return time }
        metAt.append(now)
        guard let next = again?(now) else { return nil }
        time = next
        return next
    }
}

private let tick: UInt64 = 1 << 22
private let ring = tick * 4096
private let hour: UInt64 = 3_600_000_000_000

@Suite struct WheelTests {
    @Test(arguments: [
        0, 1, tick - 1, tick, tick + 1, 10 * tick, ring - tick, ring - 1, ring, ring + 1, 2 * ring,
        3 * ring + 5, hour,
    ])
    func `a deadline is met when its time has come, and at most one tick later`(distance: UInt64) {
        for start in [0, 7, tick - 1, 5 * hour + 123] {
            let wheel = DeadlineWheel(now: start)
            let entry = Deadline(start + distance)
            wheel.arm(entry, by: entry.time)
            var now = start
            while let next = wheel.nextTime, now <= start + distance + 2 * tick {
                #expect(next > now)
                now = next
                wheel.advance(to: now)
            }
            #expect(entry.metAt.count == 1)
            #expect(entry.metAt.first.map { $0 >= entry.time && $0 <= entry.time + tick } == true)
            // Once a ring and once at the end: no more looks than that.
            #expect(UInt64(entry.lookCount) <= 2 + distance / (ring - tick))
            #expect(!entry.isArmed)
            #expect(wheel.nextTime == nil)
        }
    }

    @Test func `an entry that was removed is not met`() {
        let wheel = DeadlineWheel(now: 0)
        // Three in one slot: the first, the middle and the last of a list.
        for index in 0..<3 {
            let entries = (0..<3).map { _ in Deadline(tick) }
            for entry in entries { wheel.arm(entry, by: entry.time) }
            wheel.remove(entries[index])
            wheel.remove(entries[index])
            #expect(!entries[index].isArmed)
            for (other, entry) in entries.enumerated() where other != index {
                #expect(entry.isArmed)
                wheel.remove(entry)
            }
            #expect(wheel.nextTime == nil)
        }
        wheel.advance(to: hour)
    }

    @Test func `moving a deadline on costs nothing until its old time`() {
        let wheel = DeadlineWheel(now: 0)
        let entry = Deadline(10 * tick)
        wheel.arm(entry, by: entry.time)
        for step in 1...5 as ClosedRange<UInt64> {
            entry.time = 10 * tick + step * tick
            wheel.arm(entry, by: entry.time)
        }
        wheel.advance(to: 14 * tick)
        #expect(entry.metAt == [])
        #expect(entry.lookCount == 1)
        wheel.advance(to: 17 * tick)
        #expect(entry.metAt == [17 * tick])
    }

    @Test func `an earlier deadline replaces a later one`() {
        let wheel = DeadlineWheel(now: 0)
        let entry = Deadline(100 * tick)
        wheel.arm(entry, by: entry.time)
        entry.time = 3 * tick
        wheel.arm(entry, by: entry.time)
        wheel.advance(to: 4 * tick)
        #expect(entry.metAt == [4 * tick])
        #expect(wheel.nextTime == nil)
    }

    @Test func `a jump of hours meets all that is due, and nothing else`() {
        let wheel = DeadlineWheel(now: 0)
        let due = (1...200 as ClosedRange<UInt64>).map { Deadline($0 * 31 * tick) }
        let later = (1...200 as ClosedRange<UInt64>).map { Deadline(3 * hour + $0 * 17 * tick) }
        for entry in due + later { wheel.arm(entry, by: entry.time) }
        wheel.advance(to: 3 * hour)
        #expect(due.allSatisfy { $0.metAt == [3 * hour] })
        #expect(later.allSatisfy { $0.metAt == [] && $0.isArmed })
        wheel.advance(to: 6 * hour)
        #expect(later.allSatisfy { $0.metAt == [6 * hour] })
        #expect(wheel.nextTime == nil)
    }

    @Test(arguments: [0, 1, tick, ring - tick, ring, 2 * ring])
    func `an entry that comes back into the same slot is met once a round`(distance: UInt64) {
        let wheel = DeadlineWheel(now: 0)
        let entry = Deadline(tick)
        entry.again = { $0 + distance }
        let neighbour = Deadline(tick)
        neighbour.again = { $0 + distance }
        wheel.arm(entry, by: entry.time)
        wheel.arm(neighbour, by: neighbour.time)
        var now = 2 * tick
        for round in 1...5 {
            wheel.advance(to: now)
            #expect(entry.metAt.count == round)
            #expect(neighbour.metAt.count == round)
            now += distance + 2 * tick
        }
        wheel.remove(entry)
        wheel.remove(neighbour)
        #expect(wheel.nextTime == nil)
    }

    @Test func `time that stands still or goes back meets nothing`() {
        let wheel = DeadlineWheel(now: 10 * tick)
        let entry = Deadline(11 * tick)
        wheel.arm(entry, by: entry.time)
        wheel.advance(to: 10 * tick)
        wheel.advance(to: 2 * tick)
        #expect(entry.lookCount == 0)
        wheel.remove(entry)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `whatever is done in whatever order, deadlines are met on time`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var now = UInt64(random.below(1 << 40))
        let wheel = DeadlineWheel(now: now)
        let entries = (0..<50).map { _ in Deadline(.max) }
        for _ in 0..<3000 {
            let entry = random.pick(entries)
            switch random.below(4) {
            case 0:
                wheel.remove(entry)
                entry.time = .max
            case 1, 2:
                let bound = random.pick([tick, 20 * tick, ring, 3 * ring])
                entry.time = now + UInt64(random.below(Int(bound)))
                wheel.arm(entry, by: entry.time)
            default:
                let before = entries.map(\.metAt.count)
                now += UInt64(random.below(Int(random.pick([tick, 5 * tick, ring, hour]))))
                let isDue = entries.map { $0.isArmed && $0.time.addingClamped(tick) <= now }
                let mayBe = entries.map { $0.isArmed && $0.time <= now }
                wheel.advance(to: now)
                for (index, entry) in entries.enumerated() {
                    let isMet = entry.metAt.count > before[index]
                    #expect(isMet || !isDue[index], "seed \(seed): late at \(now)")
                    #expect(!isMet || mayBe[index], "seed \(seed): early at \(now)")
                }
            }
            let earliest = entries.filter(\.isArmed).map(\.time).min()
            #expect((wheel.nextTime == nil) == (earliest == nil))
            if let earliest, let next = wheel.nextTime {
                #expect(next <= max(earliest, now).addingClamped(tick))
            }
        }
        for entry in entries { wheel.remove(entry) }
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
