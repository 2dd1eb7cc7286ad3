import WharfHTTP

/// The files of a zip archive, with the times that Info-ZIP keeps beside them.
package struct ZipArchive {
    package struct Entry {
        package let name: String
        /// Of the last change, in seconds since 1970.
        package let seconds: Int
        package let bytes: [UInt8]
    }

    package struct Malformed: Error {}

    package let entries: [Entry]

    package init(_ archive: [UInt8]) throws {
        // The directory's end has no comment in the archives that are read here.
        let end = archive.count - 22
        guard end >= 0, Self.number(archive, at: end, 4) == 0x0605_4B50 else { throw Malformed() }
        var entries: [Entry] = []
        var position = Self.number(archive, at: end + 16, 4)
        for _ in 0..<Self.number(archive, at: end + 10, 2) {
            let nameCount = Self.number(archive, at: position + 28, 2)
            let extraCount = Self.number(archive, at: position + 30, 2)
            let start = position + 46
            let extra = Array(archive[(start + nameCount)..<(start + nameCount + extraCount)])
            entries.append(
                Entry(
                    name: String(decoding: archive[start..<(start + nameCount)], as: UTF8.self),
                    seconds: try Self.seconds(extra), bytes: try Self.bytes(archive, position)))
            position = start + nameCount + extraCount + Self.number(archive, at: position + 32, 2)
        }
        self.entries = entries
    }

    /// The field `UX`, when it was read and when it was changed, or `UT`, when it was changed: as a
    /// Unix time.
    private static func seconds(_ extra: [UInt8]) throws -> Int {
        guard extra.count >= 9 else { throw Malformed() }
        switch number(extra, at: 0, 2) {
        case 0x5855 where extra.count >= 12: return number(extra, at: 8, 4)
        case 0x5455: return number(extra, at: 5, 4)
        default: throw Malformed()
        }
    }

    private static func bytes(_ archive: [UInt8], _ directory: Int) throws -> [UInt8] {
        let local = number(archive, at: directory + 42, 4)
        let start =
            local + 30 + number(archive, at: local + 26, 2) + number(archive, at: local + 28, 2)
        let packed = Array(archive[start..<(start + number(archive, at: directory + 20, 4))])
        guard number(archive, at: directory + 10, 2) == 8 else { return packed }
        let count = number(archive, at: directory + 24, 4)
        var inflater = try Inflater(.raw, totalMax: Int64(count))
        var bytes: [UInt8] = []
        var rest = packed[...]
        while !inflater.isFinished {
            let step = try inflater.inflate(rest.span, outputMax: 1 << 20, to: &bytes)
            guard step.consumed > 0 || step.produced > 0 else { throw Malformed() }
            rest = rest.dropFirst(step.consumed)
        }
        return bytes
    }

    private static func number(_ bytes: [UInt8], at index: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
    }
}
