import Glibc
import TestSupport
import Testing
import WharfTesting
@testable import WharfNet

@Suite struct `A file writer when calls go wrong` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("old", to: "a.txt")
    }

    /// Replaces `a.txt` by 700,000 bytes, with all there is to do.
    private func replace(_ system: System) throws -> [UInt8] {
        let root = try RootedDirectory(path: folder.path, system: system)
        let place = try root.place(of: Array("a.txt".utf8)).get()
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let writer = try FileWriter(in: place.folder, length: Int64(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 250_000) {
            try writer.write(bytes.span.extracting(start..<min(start + 250_000, bytes.count)))
        }
        _ = try writer.place(at: place, replaces: true, syncs: true)
        return bytes
    }

    /// Each call of an upload fails in its turn: the file is the old one or the new one, whole, and
    /// nothing else is there.
    @Test(arguments: WayOfWriting.allCases, [Errno.diskFull, .unreadable, .quotaExceeded])
    func `a call that fails leaves the old file and nothing else`(
        _ way: WayOfWriting, _ error: Errno
    ) throws {
        let counting = FaultPlan()
        _ = try replace(ForwardingSystem(FaultingSystem(way.system(), plan: counting)))
        let count = counting.count(of: nil)
        #expect(count > 10)
        var failureCount = 0
        for number in 1...count {
            try folder.write("old", to: "a.txt")
            let plan = FaultPlan(nil, number: number, .error(error))
            let bytes: [UInt8]?
            do {
                bytes = try replace(ForwardingSystem(FaultingSystem(way.system(), plan: plan)))
            } catch {
                bytes = nil
                failureCount += 1
            }
            #expect(plan.struckCount == 1)
            let content = try folder.bytes("a.txt")
            // When the last steps fail (the folder's sync) the new file is there already.
            let isNew = content.count == 700_000
            #expect(isNew || content == Array("old".utf8), "call \(number)")
            if let bytes { #expect(content == bytes, "call \(number)") }
            #expect(try folder.allNames() == ["a.txt"], "call \(number)")
        }
        #expect(failureCount > count / 2)
    }

    @Test(arguments: WayOfWriting.allCases, [1, 7, 65_536])
    func `short writes are gone on with`(_ way: WayOfWriting, _ count: Int) throws {
        let plan = FaultPlan()
        plan.arm(.write, numbers: 1..<50, .short(count))
        let bytes = try replace(ForwardingSystem(FaultingSystem(way.system(), plan: plan)))
        #expect(try folder.bytes("a.txt") == bytes)
        #expect(plan.struckCount > 2)
    }

    @Test func `a full disk is known before the bytes`() throws {
        let plan = FaultPlan(.allocate, number: 1, .error(.diskFull))
        let system = ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan))
        #expect(throws: Errno.diskFull) { try replace(system) }
        #expect(plan.count(of: .write) == 0)
    }

    @Test(arguments: [Errno.notSupported, Errno.interrupted, .invalidArgument, .noSuchCall])
    func `a file system that can't reserve room is written to all the same`(
        _ error: Errno
    ) throws {
        let plan = FaultPlan(.allocate, number: 1, .error(error))
        let bytes = try replace(
            ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan)))
        #expect(try folder.bytes("a.txt") == bytes)
    }

    @Test(arguments: WayOfWriting.allCases, [nil, 2] as [Int?])
    func `room is reserved for what nobody knows the length of, and given back`(
        _ way: WayOfWriting, _ failing: Int?
    ) throws {
        let plan = FaultPlan()
        if let failing { plan.arm(.allocate, numbers: failing..<100, .error(.diskFull)) }
        let system = ForwardingSystem(FaultingSystem(try way.system(), plan: plan))
        let root = try RootedDirectory(path: folder.path, system: system)
        let place = try root.place(of: Array("a.txt".utf8)).get()
        let writer = try FileWriter(in: place.folder)
        let block = [UInt8](repeating: 7, count: 256 * 1024)
        for _ in 0..<20 { try writer.write(block.span) }
        let placed = try writer.place(at: place, replaces: true)
        #expect(placed.status.size == 20 * 256 * 1024)
        #expect(plan.count(of: .allocate) == 2)
        // What could not be reserved whole may be there in part.
        #expect(plan.count(of: .truncate) == 1)
        var raw = stat()
        try #require(unsafe stat(folder.path + "/a.txt", &raw) == 0)
        #expect(Int64(raw.st_blocks) * 512 < placed.status.size + 64 * 1024)
    }

    @Test func `what failed to be written is never placed`() throws {
        let plan = FaultPlan(.write, number: 1, .error(.unreadable))
        let root = try RootedDirectory(
            path: folder.path,
            system: ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan)))
        let place = try root.place(of: Array("a.txt".utf8)).get()
        let writer = try FileWriter(in: place.folder)
        #expect(throws: Errno.unreadable) { try writer.write(Array("abc".utf8).span) }
        #expect(throws: Errno.unreadable) { try writer.write(Array("abc".utf8).span) }
        #expect(throws: Errno.unreadable) { try writer.place(at: place, replaces: true) }
        #expect(try folder.text("a.txt") == "old")
    }
}
