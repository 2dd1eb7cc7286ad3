/// Names that differ in bytes and not for people.
extension RootedDirectory {
    /// The path of what is there under names that are canonically equivalent to those asked for.
    ///
    /// A letter with an accent may be one character or two. `nil` if there is nothing, or the path
    /// itself is there. macOS asks in decomposed form for what others have named in composed form. Names that are
    /// there as they were asked for come first; what has no equivalent stays as it is, so that the
    /// path is one to make something at. It lists folders, so it waits for the disk: for the pool
    /// only.
    package func equivalent(of path: [UInt8]) -> [UInt8]? {
        guard path.contains(where: { $0 >= 0x80 }) else { return nil }
        let slash = UInt8(ascii: "/")
        var found: [UInt8] = []
        var hasChanged = false
        var isThere = true
        for name in path.split(separator: slash) {
            var name = Array(name)
            if isThere, name.contains(where: { $0 >= 0x80 }), !exists(name, in: found) {
                if let other = equivalent(of: name, in: found) {
                    name = other
                    hasChanged = true
                } else {
                    isThere = false
                }
            }
            found += (found.isEmpty ? [] : [slash]) + name
        }
        return hasChanged ? found : nil
    }

    private func exists(_ name: [UInt8], in folder: [UInt8]) -> Bool {
        let path = folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
        guard case .failure(.notFound) = open(path, cachedOnly: false) else { return true }
        return false
    }

    private func equivalent(of name: [UInt8], in folder: [UInt8]) -> [UInt8]? {
        // Bytes that are no text are equivalent to nothing.
        guard let wanted = String(validating: name, as: UTF8.self),
            case .success(let opened) = open(folder, cachedOnly: false),
            case .success(let stream) = system.openStream(of: opened.handle.descriptor)
        else { return nil }
        defer { system.close(stream) }
        while case .success(let other?) = system.nextName(of: stream) {
            guard !PartName.isReserved(other), other.contains(where: { $0 >= 0x80 }),
                // Swift's equality is canonical equivalence.
                String(validating: other, as: UTF8.self) == wanted
            else { continue }
            return other
        }
        return nil
    }
}
