import Testing

@testable import WharfNet

@Suite struct `The size of records` {
    @Test func `is small at first and after a pause, and large for the rest`() {
        var size = RecordSize()
        var now: UInt64 = 5_000_000_000
        for _ in 0..<2 {
            var smallCount = 0
            while case let next = size.next(at: now), next < 16_384 {
                #expect(next < 1_400)
                size.note(next)
                smallCount += 1
            }
            #expect((8...12).contains(smallCount))
            for _ in 0..<3 {
                now += 900_000_000
                #expect(size.next(at: now) == 16_384)
                size.note(16_384)
            }
            now += 1_100_000_000
        }
    }
}
