import Testing
import WharfHTTP

@Suite struct RangeRequestTests {
    @Test(
        arguments: [
            ("bytes=0-4", [0..<5]), ("bytes=0-0", [0..<1]), ("bytes=9-", [9..<10]),
            ("bytes=0-", [0..<10]), ("bytes=-3", [7..<10]), ("bytes=-10", [0..<10]),
            ("bytes=-11", [0..<10]), ("bytes=5-99", [5..<10]), ("BYTES=0-4", [0..<5]),
            ("bytes=0-1,4-5", [0..<2, 4..<6]), ("bytes= 4-5 ,, 0-1 ", [0..<2, 4..<6]),
            ("bytes=0-4,2-6", [0..<7]), ("bytes=0-1,2-3", [0..<4]), ("bytes=0-4,20-30", [0..<5]),
            ("bytes=0-99999999999999999999999", [0..<10]),
            ("bytes=-99999999999999999999", [0..<10]),
            ("bytes=0-,-1", [0..<10]),
        ] as [(String, [Range<Int64>])])
    func `ranges are resolved, sorted and joined`(text: String, ranges: [Range<Int64>]) {
        #expect(RangeRequest(parsing: text, length: 10) == .ranges(ranges))
    }

    @Test(arguments: [
        "bytes=10-", "bytes=10-11", "bytes=-0", "bytes=99999999999999999999-",
        "bytes=10-,20-30,-0",
    ])
    func `ranges outside are not satisfiable`(text: String) {
        #expect(RangeRequest(parsing: text, length: 10) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=4-3", "bytes=0-4,9-8",
        "bytes=0-4;", "bytes=0 - 4", "bytes=+0-4", "bytes=--4", "bytes=0x0-4", "items=0-4",
        "bytes =0-4", "bytes=0-4-5", "0-4", "bytes=0-4 5-6",
    ])
    func `malformed ranges and unknown units are ignored`(text: String) {
        #expect(RangeRequest(parsing: text, length: 10) == .ignored)
    }

    @Test func `an empty representation has no ranges`() {
        #expect(RangeRequest(parsing: "bytes=0-", length: 0) == .unsatisfiable)
        #expect(RangeRequest(parsing: "bytes=-5", length: 0) == .unsatisfiable)
    }

    @Test func `there are sixteen ranges at most`() {
        func list(_ count: Int) -> String {
            "bytes=" + (0..<count).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        }
        guard case .ranges(let ranges) = RangeRequest(parsing: list(16), length: 100) else {
            Issue.record("sixteen ranges refused")
            return
        }
        #expect(ranges.count == 16)
        #expect(RangeRequest(parsing: list(17), length: 100) == .ignored)
        // It is the parts that count, once those that overlap or touch are joined.
        let overlapping = "bytes=" + Array(repeating: "0-", count: 500).joined(separator: ",")
        #expect(RangeRequest(parsing: overlapping, length: 100) == .ranges([0..<100]))
        let touching = "bytes=" + (0..<50).map { "\($0)-\($0)" }.joined(separator: ",")
        #expect(RangeRequest(parsing: touching, length: 100) == .ranges([0..<50]))
        func zeros(_ count: Int) -> String {
            "bytes=" + Array(repeating: "0-0", count: count).joined(separator: ",")
        }
        #expect(RangeRequest(parsing: zeros(512), length: 100) == .ranges([0..<1]))
        #expect(RangeRequest(parsing: zeros(513), length: 100) == .ignored)
        let endless = "bytes=" + String(repeating: "0-,", count: 100_000)
        #expect(RangeRequest(parsing: endless, length: 100) == .ignored)
        #expect(RangeRequest(parsing: "bytes=0-0", length: .max) == .ranges([0..<1]))
        #expect(RangeRequest(parsing: "bytes=0-", length: .max) == .ranges([0..<(.max)]))
    }

    @Test func `the content range is written`() {
        #expect(RangeRequest.contentRange(0..<5, length: 10) == "bytes 0-4/10")
    }
}
