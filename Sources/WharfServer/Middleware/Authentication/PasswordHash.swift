import WharfCrypto
import WharfHTTP

/// A password as it may be stored: the result of a slow function, with a salt.
///
///     $pbkdf2-sha256$i=600000$c2FsdHNhbHRzYWx0c2FsdA$4qYf...
///     $scrypt$ln=17,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$...
///
/// Salt and key are in base 64 without padding. Passlib's form of the first, with a bare number and
/// a dot for a plus sign, is read too.
public struct PasswordHash: Sendable, Hashable {
    enum Function: Sendable, Hashable {
        case pbkdf2(iterationCount: Int)
        case scrypt(KeyDerivation.ScryptCost)
    }

    let function: Function
    let salt: [UInt8]
    let key: [UInt8]

    private static let saltByteCount = 16
    private static let keyByteCount = 32
    /// Iterations of PBKDF2 that a stored hash may ask for: some seconds.
    static let iterationCountMax = 10_000_000

    /// Hashes a password with PBKDF2-HMAC-SHA-256; takes some tenths of a second.
    ///
    /// `iterationCount` is brought between 1 and 10,000,000.
    public static func pbkdf2(_ password: String, iterationCount: Int = 600_000) -> PasswordHash {
        let function = Function.pbkdf2(
            iterationCount: max(1, min(iterationCount, iterationCountMax)))
        return PasswordHash(password, function)
    }

    /// Hashes a password with scrypt, which takes 128 MiB of memory for a moment.
    ///
    /// `nil` on Apple systems, which have no scrypt.
    public static func scrypt(_ password: String) -> PasswordHash? {
        KeyDerivation.ScryptCost(logarithm: 17, blockSize: 8, repetitionCount: 1)
            .map { PasswordHash(password, .scrypt($0)) }.flatMap { $0.key.isEmpty ? nil : $0 }
    }

    private init(_ password: String, _ function: Function) {
        self.function = function
        salt = Random.bytes(Self.saltByteCount)
        key =
            Self.derive(password, function, salt: salt, byteCount: Self.keyByteCount) ?? []
    }

    init(_ function: Function, salt: [UInt8], key: [UInt8]) {
        self.function = function
        self.salt = salt
        self.key = key
    }

    /// Whether it is the hash of that password.
    ///
    /// Takes as long as hashing did: not for an event loop.
    public func matches(_ password: String) -> Bool {
        let derived = Self.derive(password, function, salt: salt, byteCount: key.count)
        return derived.map { Secrets.constantTimeEquals($0, key) } ?? false
    }

    /// Something of the same cost that no password fits.
    var decoy: PasswordHash {
        PasswordHash(function, salt: Random.bytes(salt.count), key: Random.bytes(key.count))
    }

    /// A figure that grows with the time it takes.
    var cost: Int {
        switch function {
        case .pbkdf2(let iterationCount): iterationCount
        // About as long as a tenth of an iteration for each block that is mixed.
        case .scrypt(let cost):
            (cost.blockSize * cost.repetitionCount << cost.logarithm) / 2
        }
    }

    private static func derive(
        _ password: String, _ function: Function, salt: [UInt8], byteCount: Int
    ) -> [UInt8]? {
        let password = Array(password.utf8)
        return switch function {
        case .pbkdf2(let iterationCount):
            KeyDerivation.pbkdf2SHA256(
                password: password, salt: salt, iterationCount: iterationCount,
                byteCount: byteCount)
        case .scrypt(let cost):
            KeyDerivation.scrypt(
                password: password, salt: salt, cost: cost, byteCount: byteCount)
        }
    }
}
