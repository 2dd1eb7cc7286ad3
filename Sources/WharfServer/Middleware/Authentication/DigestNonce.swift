import WharfCrypto
import WharfHTTP

/// A nonce that the server knows for its own by a signature, and so need not remember.
struct DigestNonce: Sendable, Hashable {
    /// Nanoseconds of the server's clock.
    let issuedAt: UInt64
    let number: UInt64

    /// Makes nonces, and knows them again.
    struct Issuer: Sendable {
        private let hash = KeyedHash(key: Random.bytes(32))

        /// The text of a new nonce.
        func issue(at now: UInt64) -> String {
            let content = DigestNonce.bytes(of: now) + Random.bytes(8)
            return Base64.encode(content + code(content))
        }

        /// The nonce that a text stands for; `nil` if it is none of ours.
        func read(_ text: String) -> DigestNonce? {
            // Text of another length is none of ours, however long it is.
            guard text.utf8.count == 44, let bytes = Base64.decode(text.utf8), bytes.count == 32,
                Secrets.constantTimeEquals(code(Array(bytes[..<16])), Array(bytes[16...]))
            else { return nil }
            return DigestNonce(
                issuedAt: DigestNonce.number(of: bytes[..<8]),
                number: DigestNonce.number(of: bytes[8..<16]))
        }

        private func code(_ content: [UInt8]) -> [UInt8] {
            Array(hash.code(of: content.span).prefix(16))
        }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    private static func number(of bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Which counts have been used with which nonce, so that no answer is taken twice.
///
/// Connections that a client uses side by side mix the order up: of the 64 counts below the
/// highest, each is taken once. Only answers that are right come here, so strangers can't fill it.
struct NonceCounts: Sendable {
    private struct Window: Sendable {
        var highest: UInt32
        /// Bit n: the count n below the highest was used.
        var used: UInt64
    }

    /// Nonces that are known at a time.
    static let nonceCountMax = 10_000

    private var windows: BoundedTable<DigestNonce, Window>
    /// What was used with these or older nonces is forgotten: they are not taken any more.
    private var forgottenUpTo: UInt64?

    init(nonceCountMax: Int = nonceCountMax) {
        windows = BoundedTable(countMax: nonceCountMax)
    }

    /// Uses a count up: whether it had not been used before.
    mutating func use(_ count: UInt32, of nonce: DigestNonce) -> Bool {
        guard count > 0 else { return false }
        guard var window = windows[nonce] else {
            if let forgottenUpTo, nonce.issuedAt <= forgottenUpTo { return false }
            keep(Window(highest: count, used: 1), of: nonce)
            return true
        }
        if count > window.highest {
            let distance = count - window.highest
            window.used = distance < 64 ? window.used << UInt64(distance) | 1 : 1
            window.highest = count
        } else {
            let distance = window.highest - count
            guard distance < 64, window.used >> UInt64(distance) & 1 == 0 else { return false }
            window.used |= 1 << UInt64(distance)
        }
        keep(window, of: nonce)
        return true
    }

    private mutating func keep(_ window: Window, of nonce: DigestNonce) {
        guard let evicted = windows.set(window, for: nonce) else { return }
        forgottenUpTo = max(forgottenUpTo ?? 0, evicted.issuedAt)
    }
}
