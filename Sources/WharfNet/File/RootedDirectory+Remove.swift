/// What of a folder could not be copied or removed with the rest.
package struct TreeFailure: Sendable, Hashable {
    /// Where it lies below what was to be copied or removed; empty for that itself.
    package let path: [UInt8]
    package let error: Errno

    /// More are not remembered.
    static let countMax = 1000
}

extension RootedDirectory {
    /// How often a folder is gone through until it is empty.
    private static let passCountMax = 4

    /// Removes what lies at a place, a folder with all that is in it: what could not be removed.
    ///
    /// A symbolic link is removed itself. Nothing there is `ENOENT`. It waits for the disk: for the
    /// pool only.
    package func removeTree(at place: NamePlace) -> [TreeFailure] {
        switch place.status() {
        case .failure(let error): return [TreeFailure(path: [], error: error)]
        case .success(nil): return [TreeFailure(path: [], error: .notFound)]
        case .success(let status?) where status.kind == .folder: return removeFolder(at: place)
        case .success: return remove(place, isFolder: false).map { [$0] } ?? []
        }
    }

    private func removeFolder(at place: NamePlace) -> [TreeFailure] {
        // Not every file system shows all names while some are removed.
        for _ in 0..<Self.passCountMax {
            let failures = removeContents(of: place)
            guard failures.isEmpty else { return failures }
            guard let failure = remove(place, isFolder: true) else { return [] }
            guard failure.error == .notEmpty || failure.error == .exists else { return [failure] }
        }
        return [TreeFailure(path: [], error: .notEmpty)]
    }

    private func removeContents(of place: NamePlace) -> [TreeFailure] {
        let walk: TreeWalk
        switch openFolder(at: place) {
        case .success(let folder): walk = TreeWalk(of: folder, countsReserved: true)
        case .failure(let error): return [TreeFailure(path: [], error: error)]
        }
        var failures: [TreeFailure] = []
        func note(_ error: Errno, _ name: [UInt8]) {
            guard failures.count < TreeFailure.countMax else { return }
            failures.append(TreeFailure(path: walk.path(of: name), error: error))
        }
        while let step = walk.next() {
            switch step {
            case .folder: continue
            case .entry(let entry, _):
                if let failure = remove(entry, isFolder: false) { note(failure.error, entry.name) }
            case .folderEnd(let entry):
                guard let failure = remove(entry, isFolder: true) else { continue }
                // What is left in it is told already, or is dealt with by the next pass.
                if failure.error != .notEmpty, failure.error != .exists {
                    note(failure.error, entry.name)
                }
            case .failed(let entry, let error): note(error, entry.name)
            }
        }
        if let error = walk.topError { note(error, []) }
        return failures
    }

    private func remove(_ place: NamePlace, isFolder: Bool) -> TreeFailure? {
        let answer = system.remove(place.name, in: place.folder.descriptor, isFolder: isFolder)
        switch answer {
        // Somebody else was faster.
        case .success, .failure(.notFound): return nil
        case .failure(let error): return TreeFailure(path: [], error: error)
        }
    }
}
