import WharfHTTP

/// What the multipart parser made of a body.
struct ParsedForm: Equatable {
    struct Part: Equatable {
        var name: String
        var fileName: String?
        var contentType: String?
        var data: [UInt8] = []
        var isComplete = false
    }

    enum End: Equatable {
        case finished, truncated, refused(MultipartError)
    }

    var parts: [Part] = []
    var end = End.truncated

    /// The status that the body would be answered with, or nil if it is sound.
    var status: Int? {
        switch end {
        case .finished: nil
        case .truncated: 400
        case .refused(let error): error.status.code
        }
    }

    var isFinished: Bool { end == .finished }
}

/// How a body is fed in pieces.
enum Feeding: CaseIterable {
    /// Each piece alone.
    case pieces
    /// A buffer that grows, and keeps what has been read.
    case buffer
}

/// Feeds a body in pieces that end at `cuts`.
func parseForm(
    _ body: [UInt8], boundary: String = "AaB03x", limits: MultipartLimits = MultipartLimits(),
    cuts: some Sequence<Int> = [], feeding: Feeding = .pieces
) -> ParsedForm {
    var form = ParsedForm()
    guard let boundary = MultipartBoundary(boundary, boundaryMax: 255) else { return form }
    var parser = MultipartParser(boundary: boundary, limits: limits)
    var start = 0
    do throws(MultipartError) {
        for cut in Array(cuts) + [body.count] {
            let piece = feeding == .pieces ? body[start..<cut] : body[..<cut]
            var position = start - piece.startIndex
            while let event = try parser.next(in: piece.span, from: &position) {
                form.add(event, of: piece)
            }
            precondition(position == piece.count, "the parser left something")
            start = cut
        }
        try parser.finish()
        precondition(form.isFinished, "the end came without its event")
    } catch {
        precondition(!form.isFinished, "the end came although the body is bad")
        if error.reason != "body without a last delimiter" { form.end = .refused(error) }
    }
    return form
}

extension ParsedForm {
    fileprivate mutating func add(_ event: MultipartParser.Event, of piece: ArraySlice<UInt8>) {
        precondition(!isFinished, "an event after the last")
        let isInside = parts.last.map { !$0.isComplete } ?? false
        switch event {
        case .part(let head):
            precondition(!isInside, "a part inside a part")
            parts.append(
                Part(
                    name: head.name, fileName: head.fileName,
                    contentType: head.contentType?.description))
        case .data(let range):
            precondition(isInside && !range.isEmpty)
            parts[parts.count - 1].data += piece.dropFirst(range.lowerBound).prefix(range.count)
        case .heldData(let bytes):
            precondition(isInside && !bytes.isEmpty)
            parts[parts.count - 1].data += bytes
        case .partEnd:
            precondition(isInside)
            parts[parts.count - 1].isComplete = true
        case .finished:
            precondition(!isInside, "the end of the body inside a part")
            end = .finished
        }
    }
}

/// Cuts after every so many bytes.
func cuts(every count: Int, of body: [UInt8]) -> StrideTo<Int> {
    stride(from: count, to: body.count, by: count)
}

/// A part of a form as it is sent, up to its data.
func partHead(_ disposition: String, boundary: String = "AaB03x") -> [UInt8] {
    bytes("--\(boundary)\r\nContent-Disposition: \(disposition)\r\n\r\n")
}
