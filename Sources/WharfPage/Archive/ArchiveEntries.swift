import WharfNet

/// Goes through what is to be in an archive: files and folders of a share, with all that is in them.
///
/// Symbolic links are what they lead to if that is a file below the root. What can't be opened, is
/// hidden or may not exist is left out. It waits for the disk: for the pool only.
struct ArchiveEntries {
    /// A file to be put in.
    struct File {
        /// Its path in the archive.
        let name: [UInt8]
        /// Its path below the root.
        let path: [UInt8]
        let opened: OpenedFile
    }

    enum Entry {
        /// A folder: its path in the archive, which ends in a slash, and seconds since 1970.
        case folder([UInt8], Int64)
        case file(File)
    }

    /// Which names exist for clients.
    struct Rules: Sendable {
        let showsHidden: Bool
        /// Whether a file of a path does.
        let admitsFile: @Sendable ([UInt8]) -> Bool
    }

    private struct Walk {
        let steps: TreeWalk
        /// What its paths begin with below the root.
        let base: [UInt8]
        /// What they begin with in the archive.
        let prefix: [UInt8]
    }

    private let root: RootedDirectory
    private let rules: Rules
    private var paths: ArraySlice<PagePath>
    private var walk: Walk?

    /// What lies at some paths, each under its last name; the root without one.
    init(_ paths: [PagePath], in root: RootedDirectory, _ rules: Rules) {
        self.root = root
        self.rules = rules
        self.paths = paths[...]
    }

    /// The next entry; `nil` at the end.
    mutating func next() -> Entry? {
        while true {
            if let walk {
                if let entry = step(walk) { return entry }
                self.walk = nil
            }
            guard let path = paths.popFirst() else { return nil }
            if let entry = enter(path) { return entry }
        }
    }

    /// Begins with what lies at a path: its entry, or `nil` where there is none.
    private mutating func enter(_ path: PagePath) -> Entry? {
        let bytes = path.bytes
        guard case .success(let opened) = root.open(bytes, cachedOnly: false) else { return nil }
        let name = path.name ?? []
        guard opened.status.kind == .folder else { return file(bytes, name) }
        let slash = UInt8(ascii: "/")
        let prefix = name.isEmpty ? [] : name + [slash]
        walk = Walk(
            steps: TreeWalk(of: opened.handle, countsReserved: false),
            base: bytes.isEmpty ? [] : bytes + [slash], prefix: prefix)
        return name.isEmpty ? nil : .folder(prefix, opened.status.modificationSeconds)
    }

    private func step(_ walk: Walk) -> Entry? {
        while let step = walk.steps.next() {
            switch step {
            case .folder(let place):
                guard isSeen(place.name) else {
                    walk.steps.skip()
                    continue
                }
                let path = walk.steps.pathOfFolder
                return .folder(walk.prefix + path + [UInt8(ascii: "/")], seconds(of: place))
            case .entry(let place, let status):
                guard isSeen(place.name), status.kind == .file || status.kind == .symbolicLink
                else { continue }
                let path = walk.steps.path(of: place.name)
                if let file = file(walk.base + path, walk.prefix + path) { return file }
            case .folderEnd, .failed: continue
            }
        }
        return nil
    }

    private func isSeen(_ name: [UInt8]) -> Bool {
        (rules.showsHidden || name.first != UInt8(ascii: "."))
            && !name.contains(UInt8(ascii: "\\"))
    }

    private func seconds(of place: NamePlace) -> Int64 {
        guard case .success(let status?) = place.status() else { return 0 }
        return status.modificationSeconds
    }

    private func file(_ path: [UInt8], _ name: [UInt8]) -> Entry? {
        guard rules.admitsFile(path),
            case .success(let opened) = root.open(path, cachedOnly: false),
            opened.status.kind == .file
        else { return nil }
        return .file(File(name: name, path: path, opened: opened))
    }
}
