/// What a zip archive says of an entry, in the three places where it does (APPNOTE 4.3.7 to 4.3.12).
struct ZipEntryRecord: Sendable {
    let entry: ZipWriter.Entry
    /// Where its local header begins.
    let offset: Int64
    /// The CRC-32 of the content so far.
    var checksum: UInt32 = 0
    /// Bytes of content so far.
    var byteCount: Int64 = 0

    private static let sizeMax = Int64(UInt32.max)

    init(_ entry: ZipWriter.Entry, offset: Int64) {
        self.entry = entry
        self.offset = offset
    }

    /// Said before the content and in the descriptor behind it, so it has to hold for what may come.
    private var isLarge: Bool { entry.size >= Self.sizeMax }

    /// What stands before the content: sizes and checksum follow behind it.
    var localHeader: [UInt8] {
        var output: [UInt8] = []
        output.append(little: 0x0403_4B50 as UInt32)
        output.append(little: version)
        appendCommon(to: &output)
        output.append(little: 0 as UInt32)
        let size: UInt32 = isLarge ? .max : 0
        output.append(little: size)
        output.append(little: size)
        output.append(little: UInt16(clamping: entry.name.count))
        let extra = (isLarge ? Self.largeSizes(0, 0) : []) + time
        output.append(little: UInt16(clamping: extra.count))
        return output + entry.name + extra
    }

    /// What stands behind the content; nothing for a folder, whose header has said all.
    var descriptor: [UInt8] {
        if entry.isFolder { return [] }
        var output: [UInt8] = []
        output.append(little: 0x0807_4B50 as UInt32)
        output.append(little: checksum)
        for _ in 0..<2 {
            if isLarge {
                output.append(little: UInt64(clamping: byteCount))
            } else {
                output.append(little: UInt32(clamping: byteCount))
            }
        }
        return output
    }

    /// What stands in the directory at the end.
    var directoryRecord: [UInt8] {
        var large: [UInt8] = []
        let isLong = byteCount >= Self.sizeMax || isLarge
        let isFar = offset >= Self.sizeMax
        if isLong {
            large.append(little: UInt64(clamping: byteCount))
            large.append(little: UInt64(clamping: byteCount))
        }
        if isFar { large.append(little: UInt64(clamping: offset)) }
        let extra = Self.field(1, large) + time
        var output: [UInt8] = []
        output.append(little: 0x0201_4B50 as UInt32)
        // Made on Unix, whose modes are given below.
        output.append(little: 0x0300 | version)
        output.append(little: version)
        appendCommon(to: &output)
        output.append(little: checksum)
        let size = isLong ? UInt32.max : UInt32(clamping: byteCount)
        output.append(little: size)
        output.append(little: size)
        output.append(little: UInt16(clamping: entry.name.count))
        output.append(little: UInt16(clamping: extra.count))
        for _ in 0..<3 { output.append(little: 0 as UInt16) }
        let mode: UInt32 = entry.isFolder ? 0o40755 : 0o100644
        output.append(little: mode << 16 | (entry.isFolder ? 0x10 : 0))
        output.append(little: isFar ? UInt32.max : UInt32(clamping: offset))
        return output + entry.name + extra
    }

    private var version: UInt16 { isLarge || offset >= Self.sizeMax ? 45 : 20 }

    /// Flags, method, time and date.
    private func appendCommon(to output: inout [UInt8]) {
        // 3: a descriptor follows. 11: the name is UTF-8; without, readers guess.
        let isText = String(validating: entry.name, as: UTF8.self) != nil
        output.append(little: (entry.isFolder ? 0 : 0x0008) | (isText ? 0x0800 : 0) as UInt16)
        output.append(little: 0 as UInt16)
        let (time, date) = ZipTime.fields(entry.modificationSeconds)
        output.append(little: time)
        output.append(little: date)
    }

    /// The time to the second and without a time zone, where it fits (Info-ZIP's field `UT`).
    private var time: [UInt8] {
        guard let seconds = Int32(exactly: entry.modificationSeconds) else { return [] }
        var data: [UInt8] = [1]
        data.append(little: UInt32(bitPattern: seconds))
        return Self.field(0x5455, data)
    }

    private static func largeSizes(_ size: UInt64, _ packed: UInt64) -> [UInt8] {
        var data: [UInt8] = []
        data.append(little: size)
        data.append(little: packed)
        return field(1, data)
    }

    private static func field(_ identifier: UInt16, _ data: [UInt8]) -> [UInt8] {
        if data.isEmpty { return [] }
        var output: [UInt8] = []
        output.append(little: identifier)
        output.append(little: UInt16(clamping: data.count))
        return output + data
    }
}

extension [UInt8] {
    /// Appends a number, its lowest byte first.
    mutating func append(little number: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: number >> (8 * index)))
        }
    }
}
