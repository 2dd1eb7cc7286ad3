import WharfCrypto
import WharfHTTP

extension PasswordHash: LosslessStringConvertible {
    /// Reads a stored hash; `nil` if it is malformed, or asks for more than this machine gives.
    ///
    /// The salt has 8 to 64 bytes, the key 16 to 64.
    public init?(_ description: String) {
        let parts = description.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, let salt = Self.decode(parts[3]),
            let key = Self.decode(parts[4]), (8...64).contains(salt.count),
            (16...64).contains(key.count)
        else { return nil }
        let function: Function?
        switch parts[1] {
        case "pbkdf2-sha256": function = Self.pbkdf2(parts[2])
        case "scrypt": function = Self.scrypt(parts[2])
        default: function = nil
        }
        guard let function else { return nil }
        self.init(function, salt: salt, key: key)
    }

    /// The hash as it is stored.
    public var description: String {
        let head: String
        switch function {
        case .pbkdf2(let iterationCount):
            head = "$pbkdf2-sha256$i=\(iterationCount)"
        case .scrypt(let cost):
            head = "$scrypt$ln=\(cost.logarithm),r=\(cost.blockSize),p=\(cost.repetitionCount)"
        }
        return [head, Base64.encode(salt, isPadded: false), Base64.encode(key, isPadded: false)]
            .joined(separator: "$")
    }

    private static func pbkdf2(_ parameters: Substring) -> Function? {
        let number = parameters.hasPrefix("i=") ? parameters.dropFirst(2) : parameters
        guard let count = number.plainNumber, (1...iterationCountMax).contains(count) else {
            return nil
        }
        return .pbkdf2(iterationCount: count)
    }

    private static func scrypt(_ parameters: Substring) -> Function? {
        let parts = parameters.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasPrefix("ln="), parts[1].hasPrefix("r="),
            parts[2].hasPrefix("p="), let logarithm = parts[0].dropFirst(3).plainNumber,
            let blockSize = parts[1].dropFirst(2).plainNumber,
            let repetitionCount = parts[2].dropFirst(2).plainNumber
        else { return nil }
        return KeyDerivation.ScryptCost(
            logarithm: logarithm, blockSize: blockSize, repetitionCount: repetitionCount
        ).map { .scrypt($0) }
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        Base64.decode(text.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "+") : $0 })
    }
}

extension Substring {
    /// The number of a few decimal digits.
    fileprivate var plainNumber: Int? {
        utf8.count <= 9 && utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(self) : nil
    }
}
