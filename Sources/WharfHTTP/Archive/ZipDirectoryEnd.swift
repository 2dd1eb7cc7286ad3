/// The end of a zip archive: where its directory lies (APPNOTE 4.3.14 to 4.3.16).
struct ZipDirectoryEnd: Sendable {
    private let entryCount: UInt64
    private let offset: UInt64
    private let byteCount: UInt64

    init(_ entryCount: Int, offset: Int64, byteCount: Int64) {
        self.entryCount = UInt64(clamping: entryCount)
        self.offset = UInt64(clamping: offset)
        self.byteCount = UInt64(clamping: byteCount)
    }

    var bytes: [UInt8] {
        let isLarge =
            entryCount >= UInt64(UInt16.max) || offset >= UInt64(UInt32.max)
            || byteCount >= UInt64(UInt32.max)
        var output = isLarge ? large : []
        output.append(little: 0x0605_4B50 as UInt32)
        output.append(little: 0 as UInt32)
        output.append(little: UInt16(clamping: entryCount))
        output.append(little: UInt16(clamping: entryCount))
        output.append(little: UInt32(clamping: byteCount))
        output.append(little: UInt32(clamping: offset))
        output.append(little: 0 as UInt16)
        return output
    }

    private var large: [UInt8] {
        var output: [UInt8] = []
        output.append(little: 0x0606_4B50 as UInt32)
        // The length of what follows.
        output.append(little: 44 as UInt64)
        output.append(little: 0x032D as UInt16)
        output.append(little: 45 as UInt16)
        output.append(little: 0 as UInt64)
        output.append(little: entryCount)
        output.append(little: entryCount)
        output.append(little: byteCount)
        output.append(little: offset)
        output.append(little: 0x0706_4B50 as UInt32)
        output.append(little: 0 as UInt32)
        // Where this record begins.
        output.append(little: offset + byteCount)
        output.append(little: 1 as UInt32)
        return output
    }
}
