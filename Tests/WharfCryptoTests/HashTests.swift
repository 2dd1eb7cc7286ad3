import Testing
import WharfCrypto

@Suite struct HashTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // Known answers of RFC 1321, RFC 3174 and FIPS 180.
    @Test(arguments: [
        (HashAlgorithm.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            .sha256, "abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `digests have their known answers`(
        algorithm: HashAlgorithm, text: String, answer: String
    ) {
        #expect(hex(Hash.digest(algorithm, of: Array(text.utf8))) == answer)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `a digest does not depend on the pieces`(algorithm: HashAlgorithm) {
        let data = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var hash = Hash(algorithm)
        for start in stride(from: 0, to: 1000, by: 7) {
            hash.update(data[start..<min(start + 7, 1000)].span)
        }
        let digest = hash.finish()
        #expect(digest == Hash.digest(algorithm, of: data))
        #expect(digest.count == algorithm.byteCount)
    }

    // RFC 4231 §4.2 and §4.3.
    @Test func `a keyed hash has its known answers`() {
        let one = HMAC.sha256(
            key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8))
        #expect(hex(one) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let two = HMAC.sha256(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
        #expect(hex(two) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let empty = HMAC.sha256(key: [], message: [])
        #expect(hex(empty) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func `random bytes differ`() {
        #expect(Random.bytes(32) != Random.bytes(32))
        #expect(Random.bytes(0).isEmpty)
        #expect(Random.bytes(1000).count == 1000)
    }

    @Test(
        arguments: [
            ([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1], [1, 2], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `secrets are compared whole`(left: [UInt8], right: [UInt8], areEqual: Bool) {
        #expect(Secrets.constantTimeEquals(left, right) == areEqual)
    }
}
