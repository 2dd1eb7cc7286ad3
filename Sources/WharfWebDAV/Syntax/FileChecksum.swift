package import WharfCrypto

/// A hash of a file, as the field OC-Checksum has it: `SHA1:` and hexadecimal.
package struct FileChecksum: Sendable, Hashable {
    package let algorithm: HashAlgorithm
    package let digest: [UInt8]

    package init(_ algorithm: HashAlgorithm, digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }

    /// What a value says.
    package enum Reading: Sendable, Hashable {
        case checksum(FileChecksum)
        /// Of an algorithm that we don't know.
        case unknown
        case malformed
    }

    /// Reads a field's value.
    package static func read(_ value: String) -> Reading {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return .malformed }
        guard let algorithm = algorithm(named: parts[0].uppercased()) else { return .unknown }
        guard let digest = bytes(hexadecimal: parts[1].utf8),
            digest.count == algorithm.byteCount
        else { return .malformed }
        return .checksum(FileChecksum(algorithm, digest: digest))
    }

    /// As it is written in `oc:checksums`.
    package var text: String {
        let digits = digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return "\(name):\(digits.joined())"
    }

    private var name: String {
        switch algorithm {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        }
    }

    private static func algorithm(named name: String) -> HashAlgorithm? {
        switch name {
        case "MD5": .md5
        case "SHA1": .sha1
        case "SHA256": .sha256
        case "SHA512": .sha512
        default: nil
        }
    }

    private static func bytes(hexadecimal text: Substring.UTF8View) -> [UInt8]? {
        let digits = text.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
