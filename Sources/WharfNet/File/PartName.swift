/// The names of files that are being written, and of nothing else: `.wharf-<16 hex>.part`.
///
/// They are reserved: who lists a folder does not see them, nobody can open or make a file by such
/// a name, and what a killed process has left of them is removed (``RootedDirectory/sweep()``).
package enum PartName {
    private static let prefix = Array(".wharf-".utf8)
    private static let suffix = Array(".part".utf8)
    private static let digitCount = 16

    /// A name that nobody can guess.
    static func random() -> [UInt8] {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let zeros = String(repeating: "0", count: digitCount - digits.utf8.count)
        return prefix + Array((zeros + digits).utf8) + suffix
    }

    /// Whether a name is one of these.
    ///
    /// Upper case counts too: on some file systems it is the same name.
    package static func isReserved(_ name: some Collection<UInt8>) -> Bool {
        guard name.first == UInt8(ascii: "."),
            name.count == prefix.count + digitCount + suffix.count
        else { return false }
        let lower = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return lower.starts(with: prefix) && lower.suffix(suffix.count).elementsEqual(suffix)
            && lower.dropFirst(prefix.count).prefix(digitCount).allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}
