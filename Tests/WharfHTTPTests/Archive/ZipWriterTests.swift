import Testing
@testable import WharfHTTP

@Suite struct `A zip archive` {
    private func archive(_ entries: [(ZipWriter.Entry, [UInt8])]) -> [UInt8] {
        var writer = ZipWriter()
        var bytes: [UInt8] = []
        for (entry, content) in entries {
            bytes += writer.begin(entry) ?? []
            writer.take(content.span)
            bytes += content + writer.end()
        }
        return bytes + writer.directory().flatMap(\.self)
    }

    private func number(_ bytes: [UInt8], _ index: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[index + $1]) << (8 * UInt64($1)) }
    }

    @Test func `of nothing is its end alone`() {
        #expect(archive([]) == [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18))
    }

    @Test func `says what it holds behind each file and at the end`() {
        let entry = ZipWriter.Entry(
            name: Array("a.txt".utf8), size: 5, modificationSeconds: 784_111_777)
        let bytes = archive([(entry, Array("hello".utf8))])
        // 1994-11-06T08:49:37Z, to two seconds.
        #expect(number(bytes, 10, 2) == 8 << 11 | 49 << 5 | 18)
        #expect(number(bytes, 12, 2) == 14 << 9 | 11 << 5 | 6)
        #expect(number(bytes, 6, 2) == 0x0808)
        let descriptor = 30 + 5 + 9 + 5
        #expect(number(bytes, descriptor, 4) == 0x0807_4B50)
        #expect(number(bytes, descriptor + 4, 4) == 0x3610_A686)
        #expect(number(bytes, descriptor + 8, 4) == 5)
        let directory = Int(number(bytes, bytes.count - 6, 4))
        #expect(directory == descriptor + 16)
        #expect(number(bytes, directory, 4) == 0x0201_4B50)
        #expect(number(bytes, directory + 16, 4) == 0x3610_A686)
        #expect(number(bytes, bytes.count - 12, 2) == 1)
    }

    @Test(arguments: [Int64(UInt32.max) - 1, Int64(UInt32.max), 1 << 40])
    func `has long sizes where they are needed`(_ size: Int64) {
        var writer = ZipWriter()
        let entry = ZipWriter.Entry(name: [0x61], size: size, modificationSeconds: 0)
        let header = writer.begin(entry) ?? []
        let isLong = size >= Int64(UInt32.max)
        #expect(number(header, 18, 4) == (isLong ? UInt64(UInt32.max) : 0))
        #expect(writer.end().count == (isLong ? 24 : 16))
    }

    @Test(arguments: [(65_534, false), (65_535, true), (70_000, true)])
    func `has a long end for many entries`(_ count: Int, _ isLong: Bool) {
        var writer = ZipWriter()
        for index in 0..<count {
            let name = Array("\(index)/".utf8)
            _ = writer.begin(ZipWriter.Entry(name: name, size: 0, modificationSeconds: 0))
            #expect(writer.end() == [])
        }
        let end = writer.directory().last ?? []
        #expect(end.count == (isLong ? 98 : 22))
        if isLong { #expect(number(end, 32, 8) == UInt64(count)) }
    }

    @Test(
        arguments: [
            (Int64.min, 33), (0, 33), (315_532_800, 33), (4_354_819_198, 127 << 9 | 12 << 5 | 31),
            (.max, 127 << 9 | 12 << 5 | 31), (951_782_400, 20 << 9 | 2 << 5 | 29),
        ] as [(Int64, UInt16)])
    func `keeps times within what DOS knew`(_ seconds: Int64, _ date: UInt16) {
        #expect(ZipTime.fields(seconds).date == date)
    }

    @Test func `refuses names that are too long`() {
        var writer = ZipWriter()
        let name = [UInt8](repeating: 0x61, count: 65_536)
        #expect(writer.begin(.init(name: name, size: 0, modificationSeconds: 0)) == nil)
        #expect(writer.entryCount == 0)
    }
}
