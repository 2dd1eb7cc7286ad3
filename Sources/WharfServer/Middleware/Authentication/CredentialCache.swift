import WharfCrypto
import WharfNet

/// Credentials that were found to be right, so that the next request with them costs no slow hash.
///
/// It does not hold them: it knows them by their HMAC, under a key that nobody else has.
final class CredentialCache: Sendable {
    /// Half of an HMAC: nobody can find another credential with the same, without the key.
    private struct Mark: Hashable, Sendable {
        private let high: UInt64
        private let low: UInt64

        init(_ code: [UInt8]) {
            high = code[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = code[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    static let countMax = 1024

    private let hash = KeyedHash(key: Random.bytes(32))
    private let users = Locked(BoundedTable<Mark, AuthenticatedUser>(countMax: countMax))

    /// Whose credentials the value of a field holds, if they were right before.
    func user(of field: ArraySlice<UInt8>) -> AuthenticatedUser? {
        guard users.withLock({ $0.count > 0 }) else { return nil }
        let mark = mark(of: field)
        return users.withLock { $0[mark] }
    }

    /// Remembers credentials.
    func remember(_ field: ArraySlice<UInt8>, of user: AuthenticatedUser) {
        let mark = mark(of: field)
        users.withLock { _ = $0.set(user, for: mark) }
    }

    private func mark(of field: ArraySlice<UInt8>) -> Mark { Mark(hash.code(of: field.span)) }
}
