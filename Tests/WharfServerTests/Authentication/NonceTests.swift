import Testing
@testable import WharfServer

@Suite struct `A nonce` {
    /// Counts that a test can use within an expectation.
    private final class Counts {
        private var counts: NonceCounts

        init(_ counts: NonceCounts = NonceCounts()) { self.counts = counts }

        func use(_ count: UInt32, of nonce: DigestNonce) -> Bool { counts.use(count, of: nonce) }
    }

    private func use(_ uses: [UInt32]) -> [Bool] {
        let counts = Counts()
        let nonce = DigestNonce(issuedAt: 1, number: 1)
        return uses.map { counts.use($0, of: nonce) }
    }

    @Test(
        arguments: [
            ([1, 2, 3], [true, true, true]), ([1, 1], [true, false]), ([0], [false]),
            ([2, 1, 1, 2, 3], [true, true, false, false, true]),
            // The window is 64 wide.
            ([100, 37, 36], [true, true, false]), ([100, 37, 37], [true, true, false]),
            ([1, 64, 1], [true, true, false]), ([1, 65, 2, 1], [true, true, true, false]),
            ([5, 69, 5, 6], [true, true, false, true]),
            ([1, .max, .max, .max - 63, .max - 64], [true, true, false, true, false]),
            ([7, 71, 70, 70], [true, true, true, false]),
        ] as [([UInt32], [Bool])])
    func `takes each count once`(_ uses: [UInt32], _ expected: [Bool]) {
        #expect(use(uses) == expected)
    }

    @Test func `has counts of its own`() {
        let counts = Counts()
        for number: UInt64 in 1...3 {
            #expect(counts.use(1, of: DigestNonce(issuedAt: 5, number: number)))
        }
        #expect(!counts.use(1, of: DigestNonce(issuedAt: 5, number: 2)))
    }

    @Test func `that was forgotten for want of room is not taken again`() {
        let counts = Counts(NonceCounts(nonceCountMax: 2))
        let nonces = (1...4).map { DigestNonce(issuedAt: $0, number: $0) }
        for nonce in nonces[..<3] { #expect(counts.use(1, of: nonce)) }
        // The first has made room for the third.
        #expect(!counts.use(1, of: nonces[0]) && !counts.use(2, of: nonces[0]))
        #expect(counts.use(2, of: nonces[1]))
        #expect(counts.use(1, of: nonces[3]))
        // Issued before what is forgotten, and never seen: it may have been used.
        #expect(!counts.use(1, of: DigestNonce(issuedAt: 1, number: 9)))
        #expect(counts.use(1, of: DigestNonce(issuedAt: 9, number: 9)))
    }

    @Test func `is known again by its signature`() throws {
        let issuer = DigestNonce.Issuer()
        let text = issuer.issue(at: 0x0102_0304_0506_0708)
        #expect(issuer.read(text)?.issuedAt == 0x0102_0304_0506_0708)
        #expect(issuer.issue(at: 1) != issuer.issue(at: 1))
        #expect(DigestNonce.Issuer().read(text) == nil)
        for index in text.indices where text[index] != "=" {
            var forged = text
            forged.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(issuer.read(forged) == nil)
        }
        for other in ["", String(text.dropLast()), text + "A", String(repeating: "A", count: 44)] {
            #expect(issuer.read(other) == nil)
        }
    }
}
