#if !canImport(COpenSSL) && canImport(CryptoKit)
    internal import CryptoKit

    /// A hash being computed.
    package struct Hash: ~Copyable, Sendable {
        private var hasher: Hasher

        private enum Hasher: Sendable {
            case md5(Insecure.MD5)
            case sha1(Insecure.SHA1)
            case sha256(SHA256)
            case sha512(SHA512)
        }

        /// A hash of nothing yet.
        package init(_ algorithm: HashAlgorithm) {
            switch algorithm {
            case .md5: hasher = .md5(Insecure.MD5())
            case .sha1: hasher = .sha1(Insecure.SHA1())
            case .sha256: hasher = .sha256(SHA256())
            case .sha512: hasher = .sha512(SHA512())
            }
        }

        /// Adds bytes.
        package mutating func update(_ bytes: borrowing Span<UInt8>) {
            // The pointer is used inside the call only.
            unsafe bytes.withUnsafeBufferPointer { buffer in
                let raw = unsafe UnsafeRawBufferPointer(buffer)
                switch hasher {
                case .md5(var hash):
                    unsafe hash.update(bufferPointer: raw)
                    hasher = .md5(hash)
                case .sha1(var hash):
                    unsafe hash.update(bufferPointer: raw)
                    hasher = .sha1(hash)
                case .sha256(var hash):
                    unsafe hash.update(bufferPointer: raw)
                    hasher = .sha256(hash)
                case .sha512(var hash):
                    unsafe hash.update(bufferPointer: raw)
                    hasher = .sha512(hash)
                }
            }
        }

        /// The digest of everything added.
        package consuming func finish() -> [UInt8] {
            switch hasher {
            case .md5(let hash): Array(hash.finalize())
            case .sha1(let hash): Array(hash.finalize())
            case .sha256(let hash): Array(hash.finalize())
            case .sha512(let hash): Array(hash.finalize())
            }
        }
    }

    /// Keyed hashes (RFC 2104).
    package enum HMAC {
        /// The HMAC-SHA-256 of a message: 32 bytes.
        package static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
            Array(
                CryptoKit.HMAC<SHA256>.authenticationCode(
                    for: message, using: SymmetricKey(data: key)))
        }
    }

    /// Randomness for secrets.
    package enum Random {
        /// Bytes that nobody can guess.
        package static func bytes(_ count: Int) -> [UInt8] {
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in generator.next() }
        }
    }
#endif
