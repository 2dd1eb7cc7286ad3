import WharfHTTP
package import WharfNet

/// How what lies in a share is moved, copied and removed.
///
/// Each asks the delegate first and tells it afterwards, judges the conditions of the request, and
/// throws the ``HTTPError`` to be answered. Paths are below the share's folder, decoded; that of the
/// folder itself is refused (403).
extension Share {
    /// Makes an empty folder: 405 where something is, 409 without a parent (RFC 4918 §9.3.1).
    package func makeFolder(_ path: [UInt8], for request: Request) async throws {
        let name = text(path)
        try await perform(request) {
            try await $0.shouldCreateFolder(name, for: request)
        } _: {
            [self] in
            let place = try root.place(of: path).get()
            try check(request.head, against: place.status().get(), at: path)
            if case .failure(let error) = root.makeFolder(at: place) {
                throw error == .exists ? Errno.isDirectory : error
            }
        }
        await tell(request) { await $0.didCreateFolder(name, for: request) }
    }

    /// Removes a file, or a folder with all that is in it: what of it could not be removed.
    ///
    /// 404 where nothing is.
    package func remove(_ path: [UInt8], for request: Request) async throws -> [TreeFailure] {
        let name = text(path)
        let failures = try await perform(request) {
            try await $0.shouldDelete(name, for: request)
        } _: { [self] in
            let place = try root.place(of: path).get()
            let remove = { [self] in
                try check(request.head, against: existing(place), at: path)
                return root.removeTree(at: place)
            }
            // A folder takes too long for others to wait for.
            let isFolder = try existing(place).kind == .folder
            let failures = try isFolder ? remove() : change(remove)
            if let failure = failures.first, failure.path.isEmpty { throw failure.error }
            return failures
        }
        if failures.isEmpty { await tell(request) { await $0.didDelete(name, for: request) } }
        return failures
    }

    /// Gives a file or folder another name, and says whether nothing had it before.
    ///
    /// 404 where nothing is, 412 where something has the name that is not to be replaced, 403 for
    /// a name below or above its own, 409 without the new parent.
    package func move(
        _ path: [UInt8], to newPath: [UInt8], replaces: Bool, for request: Request
    ) async throws -> Bool {
        try refuseNesting(path, newPath)
        let (name, newName) = (text(path), text(newPath))
        let isNew = try await perform(request) {
            try await $0.shouldMove(name, to: newName, for: request)
        } _: { [self] in
            let place = try root.place(of: path).get()
            let target = try root.place(of: newPath).get()
            if try existing(place).kind != .folder { try checkFile(newPath) }
            do {
                return try change {
                    try check(request.head, against: existing(place), at: path)
                    return try root.move(place, to: target, replaces: replaces)
                }
            } catch let error as Errno where error == .crossDevice {
                return try moveFar(path, place, to: target, replaces: replaces)
            } catch let error as Errno where error == .invalidArgument {
                throw HTTPError(.forbidden, reason: "a folder can't be moved below itself")
            }
        }
        await tell(request) { await $0.didMove(name, to: newName, for: request) }
        return isNew
    }

    /// Copies a file or folder, and says whether nothing had the name before, and what could not be
    /// copied; statuses are those of ``move(_:to:replaces:for:)``.
    package func copy(
        _ path: [UInt8], to newPath: [UInt8], replaces: Bool, isDeep: Bool, for request: Request
    ) async throws -> (isNew: Bool, failures: [TreeFailure]) {
        try refuseNesting(path, newPath)
        let (name, newName) = (text(path), text(newPath))
        let outcome = try await perform(request) {
            try await $0.shouldCopy(name, to: newName, for: request)
        } _: { [self] in
            let place = try root.place(of: path).get()
            try check(request.head, against: existing(place), at: path)
            if try existing(place).kind != .folder { try checkFile(newPath) }
            let target = try root.place(of: newPath).get()
            return try root.copy(path, to: target, replaces: replaces, isDeep: isDeep)
        }
        if outcome.failures.isEmpty {
            await tell(request) { await $0.didCopy(name, to: newName, for: request) }
        }
        return (outcome.isNew, outcome.failures)
    }

    // MARK: Steps

    /// Asks the delegate and then makes a change, on the pool.
    private func perform<Value: Sendable>(
        _ request: Request,
        _ question: @escaping @Sendable (any ShareDelegate) async throws -> Bool,
        _ change: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try checkWritable()
        try await ask(request, question)
        do {
            return try await request.offload(change)
        } catch {
            throw HTTPError.writing(error)
        }
    }

    private func existing(_ place: NamePlace) throws -> FileStatus {
        guard let status = try place.status().get() else { throw HTTPError(.notFound) }
        return status
    }

    /// To another file system: copied whole, and only then removed.
    private func moveFar(
        _ path: [UInt8], _ place: NamePlace, to target: NamePlace, replaces: Bool
    ) throws -> Bool {
        let outcome = try root.copy(
            path, to: target, replaces: replaces, isDeep: true, needsAll: true)
        if let failure = outcome.failures.first {
            _ = root.removeTree(at: target)
            throw failure.error
        }
        if let failure = root.removeTree(at: place).first { throw failure.error }
        return outcome.isNew
    }

    /// RFC 4918 §9.8.5, §9.9.4: 403 where both are the same; and what is above would be removed
    /// with what is to be moved.
    private func refuseNesting(_ path: [UInt8], _ newPath: [UInt8]) throws {
        let slash = UInt8(ascii: "/")
        let (one, other) = (path.split(separator: slash), newPath.split(separator: slash))
        guard !one.starts(with: other), !other.starts(with: one) else {
            throw HTTPError(.forbidden, reason: "one of two names lies below the other")
        }
    }

    private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}
