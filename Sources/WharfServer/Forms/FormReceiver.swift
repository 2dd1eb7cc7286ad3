import WharfHTTP
import WharfNet

/// Takes the blocks of a multipart body apart: texts into memory, files onto a disk.
///
/// It runs on the pool, one block at a time.
final class FormReceiver: Sendable {
    private struct State {
        var parser: MultipartParser
        var parts: [FormPart] = []
        var folder: FileHandle?
        var head: MultipartPartHead?
        var text: [UInt8] = []
        var file: FileWriter?
        var textByteCount = 0
        var fileCount = 0
    }

    private let limits: Form.Limits
    private let pool: BlockingPool
    private let state: Locked<State>

    init(
        _ boundary: MultipartBoundary, _ multipart: MultipartLimits, _ limits: Form.Limits,
        folder: FileHandle?, pool: BlockingPool
    ) {
        self.limits = limits
        self.pool = pool
        let parser = MultipartParser(boundary: boundary, limits: multipart)
        state = Locked(State(parser: parser, folder: folder))
    }

    /// Takes the next block; throws what the form is to be answered with.
    func consume(_ block: Span<UInt8>) throws {
        try state.withLock { state in
            var position = 0
            while let event = try state.parser.next(in: block, from: &position) {
                switch event {
                case .part(let head): try begin(head, &state)
                case .data(let range): try append(block.extracting(range), &state)
                case .heldData(let bytes): try append(bytes.span, &state)
                case .partEnd: end(&state)
                case .finished: break
                }
            }
        }
    }

    /// Says that the body has ended, and hands out what was in it.
    ///
    /// Throws if it was cut.
    func finish() throws -> [FormPart] {
        try state.withLock { state in
            try state.parser.finish()
            return state.parts
        }
    }

    private func begin(_ head: MultipartPartHead, _ state: inout State) throws {
        state.head = head
        state.text = []
        state.file = nil
        // A file field where none was chosen has an empty name, and is no file.
        guard head.fileName?.isEmpty == false else { return }
        try beginFile(&state)
    }

    private func beginFile(_ state: inout State) throws {
        state.fileCount += 1
        guard state.fileCount <= limits.fileCountMax else {
            throw HTTPError(.contentTooLarge, reason: "a form with too many files")
        }
        let folder = try state.folder ?? TemporaryStore.open(limits.folder)
        state.folder = folder
        state.file = try FileWriter(in: folder)
    }

    private func append(_ bytes: Span<UInt8>, _ state: inout State) throws {
        if let file = state.file {
            if let fileMax = limits.fileMax, file.byteCount + Int64(bytes.count) > fileMax {
                throw HTTPError(.contentTooLarge, reason: "a file longer than \(fileMax) bytes")
            }
            return try file.write(bytes)
        }
        state.textByteCount += bytes.count
        guard state.textByteCount <= limits.textMax else {
            throw HTTPError(.contentTooLarge, reason: "a form with too much text")
        }
        state.text.append(contentsOf: bytes)
    }

    private func end(_ state: inout State) {
        guard let head = state.head else { return }
        let content: FormPart.Content
        if let file = state.file {
            content = .file(UploadedFile(head, file, pool: pool))
        } else {
            content = .text(state.text)
        }
        state.parts.append(FormPart(name: head.name, content: content))
        state.head = nil
        state.file = nil
        state.text = []
    }
}
