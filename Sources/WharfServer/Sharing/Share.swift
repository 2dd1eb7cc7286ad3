import WharfHTTP
public import WharfNet

/// A folder that is shared: the one place where what lies in it is changed.
///
///     let share = try Share(folder: "Documents", isWritable: true, delegate: hooks)
///     router.mount("/", DirectoryHandler(share))
///
/// All that serves the folder and lets it be changed, however it is asked, asks the same delegate
/// and keeps to the same bounds. Nothing outside of the folder can be reached, and the folder itself
/// can neither be removed nor moved.
public final class Share: Sendable {
    /// How files are taken.
    public struct Options: Sendable {
        /// Bytes of one file that is uploaded; `nil`: as many as there is room for.
        ///
        /// More are answered 413, before anything of them is read if the request says its length.
        public var uploadMax: Int64?

        /// Whether an upload is answered only when the disk has it (fsync).
        ///
        /// Without, the last seconds of uploads may be lost when the machine, but not when the
        /// program, ends suddenly; files that were there before are whole either way on most file
        /// systems.
        public var syncsUploads = false

        /// Whether symbolic links are followed while they stay below the folder; else none exists.
        ///
        /// One that is written to is replaced itself.
        public var followsLinks = true

        /// The extensions of files that exist for clients, without dots and whatever their case;
        /// `nil`: files of any name do.
        ///
        /// Others can be neither seen nor made, whichever way they are asked for. Folders may have
        /// any name.
        public var allowedExtensions: Set<String>?

        /// Takes files of any length, and leaves it to the system when the disk gets them.
        public init() {}
    }

    /// Whether anything may be changed.
    public let isWritable: Bool
    /// Who is asked before something is done, and told afterwards.
    public let delegate: (any ShareDelegate)?
    /// The last name of the folder's path; `nil` where it has none, as `/`.
    public let name: String?
    package let root: RootedDirectory
    package let options: Options
    /// In small letters, in the file system's bytes.
    private let extensions: Set<[UInt8]>?

    /// Held while conditions are looked at and a name is changed: of two requests that expect the
    /// same version one comes too late.
    private let changing = Turn()

    /// Opens a folder, or throws what the system says: `ENOTDIR` if it is none.
    ///
    /// Of a writable one, what uploads have left that were killed is removed, by a thread of its own.
    public convenience init(
        folder path: String, isWritable: Bool = false, delegate: (any ShareDelegate)? = nil,
        options: Options = Options()
    ) throws(Errno) {
        let root = try RootedDirectory(
            path: path, system: .withoutLoop, followsLinks: options.followsLinks)
        self.init(
            root, name: Self.lastName(of: path), isWritable: isWritable, delegate: delegate,
            options: options)
        guard isWritable else { return }
        // Without a thread leftovers stay, hidden, until the next start: no reason to fail.
        try? Thread.start(name: "wharf-sweep") { root.sweep() }
    }

    /// Shares a folder that is open already, and follows links as that does.
    package init(
        _ root: RootedDirectory, name: String? = nil, isWritable: Bool,
        delegate: (any ShareDelegate)? = nil, options: Options = Options()
    ) {
        self.root = root
        self.name = name
        self.isWritable = isWritable
        self.delegate = delegate
        self.options = options
        extensions = options.allowedExtensions.map { names in
            Set(names.map { Self.lowered($0.drop { $0 == "." }.utf8) })
        }
    }

    /// The extensions that files may have, sorted; `nil`: any.
    package var allowedExtensions: [String]? {
        extensions?.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Bytes of one file; `nil`: any number.
    package var uploadMax: Int64? { options.uploadMax }

    /// Whether a file of such a path may exist for clients.
    package func admitsFile(_ path: [UInt8]) -> Bool {
        guard let extensions else { return true }
        let name = path.split(separator: UInt8(ascii: "/")).last ?? []
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return extensions.contains(Self.lowered(name[(dot + 1)...]))
    }

    /// Throws 403 for a place that nobody would see: the page and uploads have their URLs there.
    func checkPlace(_ path: [UInt8]) throws {
        let first = path.split(separator: UInt8(ascii: "/"), maxSplits: 1).first ?? []
        // Upper case counts too: on some file systems it is the same name.
        guard Self.lowered(first) != Self.reservedName else {
            throw HTTPError(.forbidden, reason: "a reserved name")
        }
    }

    private static let reservedName = Array(".wharf".utf8)

    /// Throws 403 for a file that may not exist.
    func checkFile(_ path: [UInt8]) throws {
        try checkPlace(path)
        guard admitsFile(path) else {
            throw HTTPError(.forbidden, reason: "an extension that isn't allowed")
        }
    }

    private static func lowered(_ text: some Sequence<UInt8>) -> [UInt8] {
        Array(String(decoding: Array(text), as: UTF8.self).lowercased().utf8)
    }

    /// Runs a short change of names while no other one runs.
    ///
    /// It may wait for the disk: for the pool only. Throws what the change throws.
    package func change<Value>(_ body: () throws -> Value) rethrows -> Value {
        try changing.take(body)
    }

    /// Asks the delegate; a refusal is 403.
    ///
    /// It runs on the pool, and may block. Throws what the delegate throws.
    package func ask(
        _ request: Request,
        _ question: @escaping @Sendable (any ShareDelegate) async throws -> Bool
    ) async throws {
        guard let delegate else { return }
        let mayGoOn = try await request.exchange.server.pool.runTask {
            try await question(delegate)
        }
        guard mayGoOn else { throw HTTPError(.forbidden, reason: "the share's delegate refused") }
    }

    /// Tells the delegate, on the pool.
    package func tell(
        _ request: Request, _ news: @escaping @Sendable (any ShareDelegate) async -> Void
    ) async {
        guard let delegate else { return }
        // Nothing is thrown but by the closure.
        try? await request.exchange.server.pool.runTask { await news(delegate) }
    }

    /// Tells the delegate about a download when all of the answer has been sent; never if it was cut.
    package func tellWhenSent(
        _ request: Request, _ news: @escaping @Sendable (any ShareDelegate) async -> Void
    ) {
        guard delegate != nil else { return }
        request.exchange.whenSent { [self] in await tell(request, news) }
    }

    private static func lastName(of path: String) -> String? {
        guard let name = path.split(separator: "/").last, name != ".", name != ".." else {
            return nil
        }
        return String(name)
    }
}
