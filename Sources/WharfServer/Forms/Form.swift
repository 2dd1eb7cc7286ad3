import WharfCrypto

/// The fields and files of a form that a browser or program has sent.
///
///     let form = try await request.form()
///     let title = form["title"] ?? ""
///     for file in form.files { try await file.move(into: "/srv/photos") }
public struct Form: Sendable {
    /// All that was sent, in its order; names may come more than once.
    public let parts: [FormPart]

    /// The text of the first field of a name; `nil` if there is none.
    public subscript(name: String) -> String? {
        parts.first { $0.name == name && $0.file == nil }?.text
    }

    /// The texts of all fields of a name, in their order.
    public subscript(values name: String) -> [String] {
        parts.filter { $0.name == name }.compactMap(\.text)
    }

    /// The first file of a field; `nil` if there is none, or none was chosen.
    public func file(_ name: String) -> UploadedFile? {
        parts.first { $0.name == name && $0.file != nil }?.file
    }

    /// All files, in their order.
    public var files: [UploadedFile] { parts.compactMap(\.file) }
}

/// A field of a form: a text or a file.
public struct FormPart: Sendable {
    /// What it holds.
    public enum Content: Sendable {
        /// A text, as it was sent.
        case text([UInt8])
        /// A file.
        case file(UploadedFile)
    }

    /// The name of the field.
    public let name: String
    /// What it holds.
    public let content: Content

    /// The text, read as UTF-8; `nil` for a file.
    public var text: String? {
        if case .text(let bytes) = content { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The file; `nil` for a text.
    public var file: UploadedFile? {
        if case .file(let file) = content { file } else { nil }
    }

    /// Bytes of what it holds.
    public var byteCount: Int64 {
        switch content {
        case .text(let bytes): Int64(bytes.count)
        case .file(let file): file.byteCount
        }
    }

    /// The SHA-256 of what it holds.
    public func sha256() async throws -> [UInt8] {
        switch content {
        case .text(let bytes): Hash.digest(.sha256, of: bytes)
        case .file(let file): try await file.sha256()
        }
    }
}

extension Form {
    /// How much of a form is taken; what is more is answered 413.
    public struct Limits: Sendable {
        /// Bytes of all texts together, which are held in memory.
        public var textMax = 1 << 20
        /// Fields and files together.
        public var partCountMax = 1000
        /// Files, each of which takes a descriptor.
        public var fileCountMax = 256
        /// Bytes of one file; `nil`: as many as the body may have.
        public var fileMax: Int64?
        /// The folder in which files lie, out of sight, until they are moved; `nil`: the system's
        /// for such files.
        ///
        /// Name the one that they are moved to, or one of the same file system: else they are copied.
        public var folder: String?

        /// A thousand fields, a megabyte of texts, files as long as the body may be.
        public init() {}
    }
}
