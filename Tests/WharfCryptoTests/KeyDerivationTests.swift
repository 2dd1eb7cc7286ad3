import Testing
import WharfCrypto

@Suite struct KeyDerivationTests {
    private func hex(_ bytes: [UInt8]?) -> String? {
        bytes.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    // RFC 7914 §11.
    @Test(arguments: [
        (
            "passwd", "salt", 1,
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        ),
        (
            "Password", "NaCl", 80000,
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
        ),
    ])
    func `PBKDF2 has its known answers`(
        password: String, salt: String, iterationCount: Int, answer: String
    ) {
        let key = KeyDerivation.pbkdf2SHA256(
            password: Array(password.utf8), salt: Array(salt.utf8),
            iterationCount: iterationCount, byteCount: 64)
        #expect(hex(key) == answer)
    }

    // RFC 7914 §12.
    @Test(arguments: [
        (
            "", "", 4, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func `scrypt has its known answers`(
        password: String, salt: String, logarithm: Int, blockSize: Int, repetitionCount: Int,
        answer: String
    ) throws {
        let cost = try #require(
            KeyDerivation.ScryptCost(
                logarithm: logarithm, blockSize: blockSize, repetitionCount: repetitionCount))
        let key = KeyDerivation.scrypt(
            password: Array(password.utf8), salt: Array(salt.utf8), cost: cost, byteCount: 64)
        #expect(hex(key) == answer)
    }

    @Test(arguments: [0, -1, Int(Int32.max) + 1])
    func `PBKDF2 needs iterations`(count: Int) {
        #expect(
            KeyDerivation.pbkdf2SHA256(
                password: [1], salt: [1], iterationCount: count, byteCount: 8)
                == nil)
    }

    @Test(
        arguments: [
            (17, 8, 1, true), (18, 8, 1, true), (19, 8, 1, false), (0, 8, 1, false),
            (10, 0, 1, false), (10, 8, 0, false), (64, 8, 1, false), (10, 257, 1, false),
            (10, 8, 65, false),
        ] as [(Int, Int, Int, Bool)])
    func `the cost of scrypt is bounded`(
        logarithm: Int, blockSize: Int, repetitionCount: Int, isAllowed: Bool
    ) {
        let cost = KeyDerivation.ScryptCost(
            logarithm: logarithm, blockSize: blockSize, repetitionCount: repetitionCount)
        #expect((cost != nil) == isAllowed)
    }

    @Test(arguments: [0, 1, 20, 63, 64, 65, 131])
    func `a keyed hash is the HMAC of its key`(keyCount: Int) {
        let key = (0..<keyCount).map { UInt8(truncatingIfNeeded: $0 + 7) }
        let hash = KeyedHash(key: key)
        for count in [0, 1, 55, 56, 63, 64, 65, 300] {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            #expect(hash.code(of: message.span) == HMAC.sha256(key: key, message: message))
        }
    }
}
