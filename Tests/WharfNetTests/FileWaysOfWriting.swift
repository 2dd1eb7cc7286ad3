import Glibc
import TestSupport
import Testing
@testable import WharfNet

/// The two ways in which a file is kept from sight while it is written.
enum WayOfWriting: CaseIterable {
    case unnamed, named

    func system() throws -> System {
        self == .unnamed ? System.withoutLoop : try NamingSystem()
    }
}

/// A system where every file has a name, as on Apple systems and some file systems.
class NamingSystem: System, @unchecked Sendable {
    override func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult {
        .failure(.notSupported)
    }
}

/// Makes `a.txt` each time after it was looked for and not found.
final class SurprisedSystem: System, @unchecked Sendable {
    private let way: WayOfWriting
    private let surprised: TemporaryFolder

    init(_ way: WayOfWriting, _ folder: TemporaryFolder) {
        self.way = way
        surprised = folder
        super.init(poller: nil)
    }

    override func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult {
        way == .unnamed
            ? super.openUnnamed(in: folder, mode: mode) : .failure(.notSupported)
    }

    override func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool)
        -> Result<FileStatus, Errno>
    {
        let answer = super.status(directory, name, followsLink: followsLink)
        if name == Array("a.txt".utf8), case .failure(.notFound) = answer {
            try? surprised.write("surprise", to: "a.txt")
        }
        return answer
    }
}

extension TemporaryFolder {
    /// The names in it, sorted, with those that are reserved.
    func allNames() throws -> [String] {
        let root = try RootedDirectory(path: path, system: .withoutLoop)
        let stream = try root.system.openStream(of: root.root.descriptor).get()
        defer { root.system.close(stream) }
        var names: [String] = []
        while let name = try root.system.nextName(of: stream).get() {
            if name != Array(".".utf8), name != Array("..".utf8) {
                names.append(String(decoding: name, as: UTF8.self))
            }
        }
        return names.sorted()
    }

    /// The names that a client sees, sorted.
    func visibleNames() throws -> [String] {
        let root = try RootedDirectory(path: path, system: .withoutLoop)
        let opened = try root.open("", cachedOnly: false).get()
        return try root.list(opened).get().next().get()
            .map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try #require(try WholeFile.read("\(path)/\(name)", byteCountMax: 1 << 26))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    func permissions(ofPath path: String) throws -> UInt16 {
        var raw = stat()
        try #require(unsafe stat(path, &raw) == 0)
        return UInt16(raw.st_mode & 0o777)
    }
}

/// Notes which parts of files room was reserved for.
final class ReservingSystem: System, @unchecked Sendable {
    let ranges = Locked<[Range<Int64>]>([])

    override func allocate(_ descriptor: Int32, _ range: Range<Int64>) -> SystemResult {
        ranges.withLock { $0.append(range) }
        return super.allocate(descriptor, range)
    }
}
