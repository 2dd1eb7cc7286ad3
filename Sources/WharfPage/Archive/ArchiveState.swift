import WharfHTTP
import WharfNet

/// Where an archive has got to: entries go in, bytes come out.
struct ArchiveState {
    private var entries: ArchiveEntries
    /// Whether each file is asked for.
    private let asks: Bool
    private var writer = ZipWriter()
    /// What comes before anything else.
    private var carry: [UInt8] = []
    /// The file that is asked for.
    private var asked: ArchiveEntries.File?
    /// The file whose content is being read.
    private var reading: (file: FileSpan, offset: Int64)?
    /// What is still to be handed out of the end.
    private var directory: ArraySlice<[UInt8]>?
    private var hasEnded = false

    /// Bytes that are handed out at once, at most about twice as many.
    private static let pieceSize = 256 * 1024

    init(_ entries: ArchiveEntries, asks: Bool) {
        self.entries = entries
        self.asks = asks
    }

    /// The next step; throws if there are more entries than an archive may have.
    mutating func next() throws -> ArchiveSource.Step {
        if let asked, carry.isEmpty { return .file(asked.path) }
        var output = carry
        carry = []
        while output.count < Self.pieceSize, asked == nil, !hasEnded {
            if reading != nil {
                read(&output)
                continue
            }
            switch entries.next() {
            case .folder(let name, let seconds)?:
                try begin(name, size: 0, seconds, &output)
                output += writer.end()
            case .file(let file)? where asks: asked = file
            case .file(let file)?: try begin(file, &output)
            case nil: appendDirectory(&output)
            }
        }
        if output.isEmpty, let asked { return .file(asked.path) }
        return output.isEmpty ? .end : .bytes(output)
    }

    /// Appends a piece of the end: as a whole it would take its memory twice.
    private mutating func appendDirectory(_ output: inout [UInt8]) {
        var pieces = directory ?? writer.directory()[...]
        if let piece = pieces.popFirst() {
            output += piece
        } else {
            hasEnded = true
        }
        directory = pieces
    }

    /// Puts the file that was asked for in, or leaves it out.
    mutating func settle(_ isAdmitted: Bool) throws {
        guard let file = asked else { return }
        asked = nil
        guard isAdmitted else { return }
        var header: [UInt8] = []
        try begin(file, &header)
        carry = header
    }

    private mutating func begin(_ file: ArchiveEntries.File, _ output: inout [UInt8]) throws {
        let status = file.opened.status
        try begin(file.name, size: status.size, status.modificationSeconds, &output)
        reading = (FileSpan(file.opened.handle, 0..<max(0, status.size)), 0)
    }

    private mutating func begin(
        _ name: [UInt8], size: Int64, _ seconds: Int64, _ output: inout [UInt8]
    ) throws {
        let entry = ZipWriter.Entry(name: name, size: size, modificationSeconds: seconds)
        guard let header = writer.begin(entry) else { throw Errno.fileTooLarge }
        output += header
    }

    /// Appends a part of the file; what can't be read is where it ends.
    private mutating func read(_ output: inout [UInt8]) {
        guard let (file, offset) = reading else { return }
        let end = min(offset + Int64(Self.pieceSize), file.range.upperBound)
        var bytes: [UInt8] = []
        if offset < end {
            bytes = (try? file.bytes(in: offset..<end, cachedOnly: false).get()) ?? []
        }
        guard !bytes.isEmpty else {
            output += writer.end()
            reading = nil
            return
        }
        writer.take(bytes.span)
        output += bytes
        reading = (file, offset + Int64(bytes.count))
    }
}
