import CWharf
import Glibc
import Testing
@testable import WharfNet
import TestSupport

@Suite struct `A file span` {
    let folder: TemporaryFolder
    let system: System

    init() throws {
        folder = try TemporaryFolder()
        system = try System()
    }

    private func open(_ bytes: [UInt8]) throws -> FileHandle {
        try folder.write(bytes, to: Array("file".utf8))
        let root = try RootedDirectory(path: folder.path, system: system)
        return try root.open("file", cachedOnly: false).get().handle
    }

    /// A connected pair of stream sockets, the first of them non-blocking.
    private func pair() throws -> (Int32, Int32) {
        var pair: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
        return (pair[0], pair[1])
    }

    @Test(
        arguments: [
            (0..<0, 0, 0..<0), (0..<1, 0, 0..<1), (0..<1_000_000, 0, 0..<524_288),
            (0..<1_000_000, 524_288, 524_288..<1_000_000), (5..<524_293, 5, 5..<524_293),
            (5..<524_294, 5, 5..<524_293), (0..<10, 10, 10..<10), (0..<10, 11, 10..<10),
            (5..<10, 0, 5..<10), (0..<Int64.max, .max - 1, (.max - 1)..<(.max)),
        ] as [(Range<Int64>, Int64, Range<Int64>)])
    func `is sent in windows`(
        _ range: Range<Int64>, _ offset: Int64, _ expected: Range<Int64>
    ) throws {
        #expect(FileSpan(try open([]), range).window(from: offset) == expected)
    }

    @Test func `sends its bytes and no others`() throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let span = FileSpan(try open(bytes), 10..<700)
        let (socket, peer) = try pair()
        defer { [socket, peer].forEach { close($0) } }
        var offset = span.range.lowerBound
        while case let window = span.window(from: offset), !window.isEmpty {
            offset += Int64(try span.send(window, to: socket, through: system).get())
        }
        #expect(offset == 700)
        #expect(span.send(700..<700, to: socket, through: system) == .success(0))
        shutdown(socket, Int32(SHUT_WR))
        var received = [UInt8](repeating: 0, count: 2000)
        let count = unsafe recv(peer, &received, 2000, Int32(MSG_WAITALL))
        #expect(Array(received.prefix(max(0, count))) == Array(bytes[10..<700]))
    }

    @Test func `waits when the peer is slow`() throws {
        let span = FileSpan(try open([UInt8](repeating: 1, count: 1_000_000)), 0..<1_000_000)
        let (socket, peer) = try pair()
        defer { [socket, peer].forEach { close($0) } }
        var offset: Int64 = 0
        var answer = SystemResult.success(0)
        while case .success(let count) = answer, offset < 1_000_000 {
            offset += Int64(count)
            answer = span.send(span.window(from: offset), to: socket, through: system)
        }
        #expect(answer == .failure(.wouldBlock))
        #expect(offset > 0)
    }

    @Test func `notices that the file was cut`() throws {
        let handle = try open([1, 2, 3, 4])
        let span = FileSpan(handle, 0..<4)
        let (socket, peer) = try pair()
        defer { [socket, peer].forEach { close($0) } }
        try #require(unsafe truncate(folder.absolute(Array("file".utf8)), 2) == 0)
        #expect(span.isCached(0..<4))
        span.warm(0..<4)
        #expect(span.send(0..<4, to: socket, through: system) == .success(2))
        #expect(span.send(2..<4, to: socket, through: system) == .failure(.truncated))
        #expect(try handle.status().get().size == 2)
    }

    @Test func `knows what is in memory, and brings it there`() async throws {
        let count = 3 * Int(FileSpan.windowSizeMax)
        let handle = try open([UInt8](repeating: 7, count: count))
        let span = FileSpan(handle, 0..<Int64(count))
        let window = span.window(from: FileSpan.windowSizeMax)
        // A file system in memory has no other place for it.
        if !isInMemory(handle.descriptor) {
            // A page that another processor has just had in its hands stays the first time.
            for _ in 0..<100 {
                try #require(fsync(handle.descriptor) == 0)
                posix_fadvise(handle.descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED))
                guard span.isCached(window) else { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(!span.isCached(window))
        }
        span.warm(window)
        #expect(span.isCached(window))
        #expect(span.isCached(window.lowerBound..<window.lowerBound))
    }

    @Test func `counts as not in memory where that can't be told`() throws {
        let system = try TellingNothingSystem()
        try folder.write("text", to: "file")
        let root = try RootedDirectory(path: folder.path, system: system)
        let handle = try root.open("file", cachedOnly: false).get().handle
        #expect(!FileSpan(handle, 0..<4).isCached(0..<4))
    }

    @Test(arguments: [(0, 4, "text"), (2, 4, "xt"), (4, 4, ""), (9, 4, ""), (1, 2, "ex")])
    func `reads at an offset`(_ offset: Int64, _ count: Int, _ expected: String) throws {
        let span = FileSpan(try open(Array("text".utf8)), 0..<4)
        for cachedOnly in [false, true] {
            var bytes = [UInt8](repeating: 0, count: count)
            let answer = unsafe bytes.withUnsafeMutableBytes {
                unsafe span.read(into: $0, at: offset, cachedOnly: cachedOnly)
            }
            #expect(answer == .success(expected.utf8.count))
            #expect(String(decoding: bytes.prefix(expected.utf8.count), as: UTF8.self) == expected)
        }
    }

    private func isInMemory(_ descriptor: Int32) -> Bool {
        var raw = statfs()
        return unsafe fstatfs(descriptor, &raw) == 0 && raw.f_type == 0x0102_1994  // tmpfs
    }
}

private final class TellingNothingSystem: System, @unchecked Sendable {
    override func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult {
        cachedOnly
            ? .failure(.notSupported)
            : unsafe super.read(descriptor, into: bytes, at: offset, cachedOnly: false)
    }
}
