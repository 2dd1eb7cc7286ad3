/// The names of files that are being written, `.wharf-<16 hex>.part`, of uploads that may go on after
/// a restart, `.wharf-<16 hex>.held`, and of what is put aside while something takes its place,
/// `.wharf-<16 hex>.kept`.
///
/// They are reserved: who lists a folder does not see them, nobody can open or make a file by such
/// a name, and parts that a killed process has left are removed (``RootedDirectory/sweep()``).
package enum PartName {
    private static let prefix = Array(".wharf-".utf8)
    private static let suffix = Array(".part".utf8)
    private static let asideSuffix = Array(".kept".utf8)
    private static let heldSuffix = Array(".held".utf8)
    private static let digitCount = 16

    /// A name that nobody can guess.
    static func random() -> [UInt8] { random(suffix) }

    /// The same for what is put aside: it is somebody's only copy, and never swept.
    static func randomAside() -> [UInt8] { random(asideSuffix) }

    /// The same for an upload that outlives its process: who keeps a record of it sweeps it.
    static func randomHeld() -> [UInt8] { random(heldSuffix) }

    private static func random(_ suffix: [UInt8]) -> [UInt8] {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let zeros = String(repeating: "0", count: digitCount - digits.utf8.count)
        return prefix + Array((zeros + digits).utf8) + suffix
    }

    /// Whether a name is that of a file which was being written.
    static func isPart(_ name: [UInt8]) -> Bool {
        isReserved(name) && lowered(name).suffix(suffix.count).elementsEqual(suffix)
    }

    /// Whether a name is that of an upload that waits for its rest.
    static func isHeld(_ name: [UInt8]) -> Bool {
        isReserved(name) && lowered(name).suffix(suffix.count).elementsEqual(heldSuffix)
    }

    private static func lowered(_ name: some Collection<UInt8>) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether a name is one of these.
    ///
    /// Upper case counts too: on some file systems it is the same name.
    package static func isReserved(_ name: some Collection<UInt8>) -> Bool {
        guard name.first == UInt8(ascii: "."),
            name.count == prefix.count + digitCount + suffix.count
        else { return false }
        let lower = lowered(name)
        return lower.starts(with: prefix)
            && [suffix, asideSuffix, heldSuffix].contains(Array(lower.suffix(suffix.count)))
            && lower.dropFirst(prefix.count).prefix(digitCount).allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}
