import WharfHTTP
package import WharfNet

/// How what lies in a share is moved, copied and removed.
///
/// Each asks the delegate first and tells it afterwards, judges the conditions of the request, and
/// throws the ``HTTPError`` to be answered. Paths are below the share's folder, decoded; that of the
/// folder itself is refused (403).
extension Share {
    /// Makes an empty folder: 405 where something is, 409 without a parent (RFC 4918 §9.3.1).
    package func makeFolder(
        _ path: [UInt8], for request: Request, _ companion: ChangeCompanion = ChangeCompanion()
    ) async throws {
        let name = text(path)
        try checkPlace(path)
        try await perform(request) {
            try await $0.shouldCreateFolder(name, for: request)
        } _: {
            [self] in
            let place = try root.place(of: path).get()
            try change(companion) {
                try check(request.head, against: place.status().get(), at: path)
            } _: {
                if case .failure(let error) = root.makeFolder(at: place) {
                    throw error == .exists ? Errno.isDirectory : error
                }
            }
        }
        await tell(request) { await $0.didCreateFolder(name, for: request) }
    }

    /// Removes a file, or a folder with all that is in it: what of it could not be removed.
    ///
    /// A folder is gone at once, and what was in it bit by bit; what can't be removed is there again.
    /// 404 where nothing is.
    package func remove(
        _ path: [UInt8], for request: Request, _ companion: ChangeCompanion = ChangeCompanion()
    ) async throws -> [TreeFailure] {
        let name = text(path)
        let failures = try await perform(request) {
            try await $0.shouldDelete(name, for: request)
        } _: { [self] in
            let place = try root.place(of: path).get()
            let aside = try change(companion) {
                let status = try existing(place)
                try check(request.head, against: status, at: path)
            } _: {
                try root.putAside(place)
            }
            let failures = root.removeTree(at: aside)
            guard !failures.isEmpty else {
                try? companion.gone()
                return failures
            }
            try? change {
                // If somebody has made another one meanwhile, nobody misses what is left of this.
                try root.bringBack(aside, to: place)
                try companion.restored()
            }
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
        _ path: [UInt8], to newPath: [UInt8], replaces: Bool, for request: Request,
        _ companion: ChangeCompanion = ChangeCompanion()
    ) async throws -> Bool {
        try refuseNesting(path, newPath)
        try checkPlace(newPath)
        let (name, newName) = (text(path), text(newPath))
        let isNew = try await perform(request) {
            try await $0.shouldMove(name, to: newName, for: request)
        } _: { [self] () throws -> Bool in
            try moveNow(path, to: newPath, replaces, request, companion)
        }
        await tell(request) { await $0.didMove(name, to: newName, for: request) }
        return isNew
    }

    /// Copies a file or folder, and says whether nothing had the name before, and what could not be
    /// copied; statuses are those of ``move(_:to:replaces:for:_:)``.
    ///
    /// The copy is seen when it is complete.
    package func copy(
        _ path: [UInt8], to newPath: [UInt8], replaces: Bool, isDeep: Bool, for request: Request,
        _ companion: ChangeCompanion = ChangeCompanion()
    ) async throws -> (isNew: Bool, failures: [TreeFailure]) {
        try refuseNesting(path, newPath)
        try checkPlace(newPath)
        let (name, newName) = (text(path), text(newPath))
        let outcome = try await perform(request) {
            try await $0.shouldCopy(name, to: newName, for: request)
        } _: { [self] () throws -> (isNew: Bool, failures: [TreeFailure]) in
            let place = try root.place(of: path).get()
            let target = try root.place(of: newPath).get()
            let judge = { [self] () throws -> Void in
                let status = try existing(place)
                try check(request.head, against: status, at: path)
            }
            try judge()
            if try existing(place).kind != .folder { try checkFile(newPath) }
            if !replaces, try target.status().get() != nil { throw Errno.exists }
            let copy = try root.copyAside(path, beside: target, isDeep: isDeep)
            return (try put(copy, at: target, replaces, companion, judge), copy.failures)
        }
        if outcome.failures.isEmpty {
            await tell(request) { await $0.didCopy(name, to: newName, for: request) }
        }
        return outcome
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

    private func moveNow(
        _ path: [UInt8], to newPath: [UInt8], _ replaces: Bool, _ request: Request,
        _ companion: ChangeCompanion
    ) throws -> Bool {
        let place = try root.place(of: path).get()
        let target = try root.place(of: newPath).get()
        if try existing(place).kind != .folder { try checkFile(newPath) }
        let judge = { [self] () throws -> Void in
            let status = try existing(place)
            try check(request.head, against: status, at: path)
        }
        do {
            let outcome = try change(companion, judge) {
                try root.put(place, at: target, replaces: replaces)
            }
            if let leftover = outcome.leftover { _ = root.removeTree(at: leftover) }
            return outcome.isNew
        } catch let error as Errno where error == .crossDevice {
            return try moveFar(path, place, to: target, replaces, companion, judge)
        } catch let error as Errno where error == .invalidArgument {
            throw HTTPError(.forbidden, reason: "a folder can't be moved below itself")
        }
    }

    /// Gives a copy its name; it is removed if it can't have it.
    private func put(
        _ copy: TreeCopy, at target: NamePlace, _ replaces: Bool, _ companion: ChangeCompanion,
        _ check: () throws -> Void
    ) throws -> Bool {
        do {
            let outcome = try change(companion, check) {
                try root.put(copy.place, at: target, replaces: replaces)
            }
            if let leftover = outcome.leftover { _ = root.removeTree(at: leftover) }
            return outcome.isNew
        } catch {
            _ = root.removeTree(at: copy.place)
            throw error
        }
    }

    /// To another file system: copied whole, and only then removed.
    private func moveFar(
        _ path: [UInt8], _ place: NamePlace, to target: NamePlace, _ replaces: Bool,
        _ companion: ChangeCompanion, _ check: () throws -> Void
    ) throws -> Bool {
        let copy = try root.copyAside(path, beside: target, isDeep: true)
        if let failure = copy.failures.first {
            _ = root.removeTree(at: copy.place)
            throw failure.error
        }
        let isNew = try put(copy, at: target, replaces, companion, check)
        if let failure = root.removeTree(at: place).first { throw failure.error }
        return isNew
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
