import WharfHTTP
import WharfNet
import WharfServer

/// PROPFIND (RFC 4918 §9.1).
extension WebDAVExchange {
    func propfind() async throws -> Response {
        let depth = try depth()
        let body = try await propfindBody()
        let listing = try await request.offload { try open(body, depth) }
        var response = Response.stream(contentType: Response.xmlType) { writer in
            try await send(listing, to: writer)
        }
        response.status = .multiStatus
        // RFC 4918 §5.2: the URL of a folder has a slash at its end, whatever was asked for.
        if listing.root.isFolder, !isFolderPath {
            response.fields[.contentLocation] = href(path, isFolder: true)
        }
        if listing.writer.selection.isBrief {
            response.fields[.preferenceApplied] = "return=minimal"
        }
        return response
    }

    /// RFC 4918 §9.1: no body asks for all.
    private func propfindBody() async throws -> PropfindBody {
        guard let root = try await xml() else { return .all(including: []) }
        guard let body = PropfindBody(root) else {
            throw WebDAVError(.badRequest, reason: "no propfind")
        }
        // Each is told of each resource, with its namespace.
        guard body.nameCount <= Self.nameCountMax else { throw XMLError.tooMany }
        return body
    }

    /// Clients ask for some dozens.
    private static let nameCountMax = 256

    /// What is to be told, and what it is told of; for the pool.
    private func open(_ body: PropfindBody, _ depth: Depth) throws -> Listing {
        let opened = try target()
        try checkConditions(of: opened.status)
        let selection = PropertySelection(body, isBrief: prefersMinimal)
        let writer = ResourceWriter(
            selection: selection, prefix: prefix, rootName: handler.files.rootTitle,
            mediaTypes: handler.files.mediaTypes, locks: locks, isWritable: share.isWritable,
            isAnonymous: request.user == nil, now: now,
            space: selection.wantsQuota ? share.space() : nil)
        let root = DAVResource(path: path, status: opened.status)
        guard root.isFolder, depth != .zero else {
            return Listing(root: root, writer: writer, members: .none)
        }
        if depth == .one {
            return Listing(
                root: root, writer: writer,
                members: .stream(try handler.files.folder.list(opened).get()))
        }
        return Listing(root: root, writer: writer, members: .folders(try allBelow(opened)))
    }

    // RFC 7240, and what Microsoft's clients knew before it.
    private var prefersMinimal: Bool {
        request.fields[.brief]?.lowercased() == "t"
            || request.fields[values: .prefer].contains { $0.contains("return=minimal") }
    }

    // MARK: Sending

    private static let batchSize = 256

    private func send(_ listing: Listing, to body: HTTPBodyWriter) async throws {
        try await body.write(
            try await request.offload {
                var writer = XMLWriter()
                writer.begin("multistatus")
                try listing.writeRoot(properties, to: &writer)
                return writer.take()
            })
        switch listing.members {
        case .none: break
        case .stream(let reader): try await send(reader, of: listing, to: body)
        case .folders(let folders):
            for folder in folders {
                let dead = try await request.offload {
                    try listing.dead(inFolder: folder.path, properties)
                }
                for start in stride(from: 0, to: folder.members.count, by: Self.batchSize) {
                    let some = Array(folder.members[start...].prefix(Self.batchSize))
                    let bytes = try await request.offload { try listing.bytes(some, dead) }
                    try await body.write(bytes)
                }
            }
        }
        var writer = XMLWriter()
        writer.finish("multistatus")
        try await body.write(writer.take())
    }

    /// Sends the members of a folder, one job of the pool for some hundred of them.
    private func send(_ reader: FolderReader, of listing: Listing, to body: HTTPBodyWriter)
        async throws
    {
        // At once for the whole folder, unless they are too many to be held.
        let dead = try await request.offload { try listing.dead(inFolder: path, properties) }
        while true {
            let bytes = try await request.offload { () throws -> [UInt8]? in
                let entries = try reader.next().get()
                if entries.isEmpty { return nil }
                return try listing.bytes(members(entries, of: path), dead)
            }
            guard let bytes else { return }
            try await body.write(bytes)
        }
    }

    /// What a client may see of a folder's entries.
    private func members(_ entries: [FolderEntry], of folder: ResourcePath) -> [DAVResource] {
        entries.compactMap { entry in
            // A link that leads out of the root, a device or a pipe can't be opened; a path with a
            // backslash is refused.
            guard entry.status.kind == .file || entry.status.kind == .folder,
                !entry.name.contains(UInt8(ascii: "\\")), !handler.files.hides(entry.name),
                entry.status.kind == .folder || share.admitsFile(entry.name)
            else { return nil }
            return DAVResource(path: folder.appending(entry.name), status: entry.status)
        }
    }

    // MARK: Depth: infinity

    /// All folders below one with what lies in them; for the pool.
    ///
    /// It is known to be within its bound before anything is sent.
    private func allBelow(_ root: OpenedFile) throws -> [Listing.Folder] {
        var folders: [Listing.Folder] = []
        // Their paths: as many descriptors could be more than there are.
        var open = [path]
        // A link to a folder further up would go round.
        var seen: Set<FileIdentity> = [FileIdentity(root.status)]
        var count = 0
        while let path = open.popLast() {
            guard let file = try folderToList(path) else { continue }
            let reader = try handler.files.folder.list(file).get()
            var folder = Listing.Folder(path: path, members: [])
            while true {
                let entries = try reader.next().get()
                if entries.isEmpty { break }
                let found = members(entries, of: path)
                count += found.count
                guard count <= handler.options.infiniteListMax else {
                    throw WebDAVError(.forbidden, .propfindFiniteDepth)
                }
                folder.members += found
            }
            for member in folder.members
            where member.isFolder && seen.insert(FileIdentity(member.status)).inserted {
                open.append(member.path)
            }
            folders.append(folder)
        }
        return folders
    }

    /// A folder to list; `nil` for what has gone in the meantime, or may not be read: it has no
    /// members.
    private func folderToList(_ path: ResourcePath) throws -> OpenedFile? {
        switch handler.files.folder.open(path.bytes, cachedOnly: false) {
        case .success(let opened): return opened.status.kind == .folder ? opened : nil
        case .failure(.notFound), .failure(.notDirectory), .failure(.accessDenied),
            .failure(.crossDevice), .failure(.symbolicLinkLoop), .failure(.nameTooLong):
            return nil
        case .failure(let error): throw error
        }
    }
}

/// Which file it is, whatever it is called.
private struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) {
        device = status.device
        inode = status.inode
    }
}

/// What a PROPFIND answers with.
private struct Listing: Sendable {
    struct Folder: Sendable {
        let path: ResourcePath
        var members: [DAVResource]
    }

    enum Members: Sendable {
        case none
        /// Those of the root, as they are read.
        case stream(FolderReader)
        case folders([Folder])
    }

    let root: DAVResource
    let writer: ResourceWriter
    let members: Members

    func writeRoot(_ store: any PropertyStore, to output: inout XMLWriter) throws {
        let dead = writer.selection.wantsDead ? try store.properties(of: root.path) : []
        writer.write(root, dead: dead, to: &output)
    }

    func dead(inFolder path: ResourcePath, _ store: any PropertyStore) throws -> MemberProperties {
        guard writer.selection.wantsDead, store.mayHaveAny else { return .known([:]) }
        let known = try store.properties(ofMembersOf: path, byteCountMax: Self.deadByteCountMax)
        return known.map { .known($0) } ?? .asked(store)
    }

    /// How much of what clients have set is held for a folder; beyond, each member is asked for alone.
    private static let deadByteCountMax = 1 << 20

    func bytes(_ members: [DAVResource], _ dead: MemberProperties) throws -> [UInt8] {
        var output = XMLWriter()
        for member in members {
            writer.write(member, dead: try dead.properties(of: member.path), to: &output)
        }
        return output.take()
    }
}

/// The dead properties of what lies in a folder.
private enum MemberProperties: Sendable {
    case known([ResourcePath: [DeadProperty]])
    case asked(any PropertyStore)

    func properties(of path: ResourcePath) throws -> [DeadProperty] {
        switch self {
        case .known(let properties): properties.isEmpty ? [] : properties[path] ?? []
        case .asked(let store): try store.properties(of: path)
        }
    }
}
