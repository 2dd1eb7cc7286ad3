import Testing
import WharfHTTP

/// Every request of the collections, cut: where it was cut must not matter.
@Suite struct CorpusSplitTests {
    private static let collections = [
        "http11probe", "llhttp", "own_prefixes", "own_wire", "smuggler",
    ]
    /// Longer ones are cut at some places only.
    private static let byteCountMax = 2048
    private static let cutCountOfLongOnes = 16

    private static func cuts(_ count: Int) -> StrideTo<Int> {
        stride(from: 1, to: count, by: count <= byteCountMax ? 1 : count / cutCountOfLongOnes)
    }

    @Test(arguments: collections)
    func `a request gives the same at every cut`(collection: String) async throws {
        guard let cases = CorpusCase.all(of: collection) else { return }
        #expect(cases.count > 100)
        // Two halves at once: it is the many bytes that take time.
        try await withThrowingTaskGroup { group in
            for half in 0..<2 {
                group.addTask {
                    for index in stride(from: half, to: cases.count, by: 2) {
                        Self.check(cases[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func check(_ one: CorpusCase) {
        let whole = Transcript(of: one.input)
        for cut in cuts(one.input.count) where Transcript(of: one.input, cuts: [cut]) != whole {
            Issue.record("\(one.id), cut at \(cut)")
            return
        }
    }

    @Test(arguments: collections)
    func `a request gives the same byte by byte`(collection: String) throws {
        guard let cases = CorpusCase.all(of: collection) else { return }
        for one in cases {
            let whole = Transcript(of: one.input)
            let dripped = Transcript(of: one.input, cuts: Array(1..<max(1, one.input.count)))
            #expect(dripped == whole, "\(one.id)")
        }
    }
}
