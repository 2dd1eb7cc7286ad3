import WharfHTTP
import WharfNet

/// Several ranges as the parts of one body, `multipart/byteranges` (RFC 9110 §14.6).
struct ByteRangeParts {
    private let ranges: [Range<Int64>]
    private let length: Int64
    private let partType: String?
    private let boundary: String

    init(_ ranges: [Range<Int64>], of length: Int64, contentType: String?) {
        self.ranges = ranges
        self.length = length
        partType = contentType
        // A boundary that the content can't have by chance.
        boundary = "wharf-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// The type of the whole.
    var contentType: String { "multipart/byteranges; boundary=\(boundary)" }

    /// The parts of a body, which is in memory or one file.
    func body(of whole: ResponseBody) -> ResponseBody {
        if case .file(let slices) = whole.storage, let span = slices.first?.span {
            let parts = ranges.enumerated().map { index, range in
                FileSlice(prefix: head(index, range), span: span.part(range))
            }
            return .file(parts + [FileSlice(prefix: end, span: nil)])
        }
        var bytes: [UInt8] = []
        for (index, range) in ranges.enumerated() {
            bytes += head(index, range)
            bytes += whole.bytes(in: range)
        }
        return .bytes(bytes + end)
    }

    private func head(_ index: Int, _ range: Range<Int64>) -> [UInt8] {
        let type = partType.map { "Content-Type: \($0)\r\n" } ?? ""
        let part = RangeRequest.contentRange(range, length: length)
        let start = index == 0 ? "" : "\r\n"
        return Array("\(start)--\(boundary)\r\n\(type)Content-Range: \(part)\r\n\r\n".utf8)
    }

    private var end: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }
}

extension ResponseBody {
    /// Whether parts of it can be sent: it is in memory, or one file.
    var hasParts: Bool {
        switch storage {
        case .bytes, .string: true
        case .file(let slices): slices.count == 1 && slices[0].prefix.isEmpty
        case .empty, .stream, .upgrade: false
        }
    }

    /// A part of a body that has parts; the range lies inside it.
    func part(_ range: Range<Int64>) -> ResponseBody {
        if case .file(let slices) = storage, let span = slices.first?.span {
            return .file([FileSlice(span: span.part(range))])
        }
        return .bytes(Array(bytes(in: range)))
    }

    /// A part of a body in memory.
    fileprivate func bytes(in range: Range<Int64>) -> ArraySlice<UInt8> {
        switch storage {
        case .bytes(let bytes): bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        case .string(let text): Array(text.utf8)[Int(range.lowerBound)..<Int(range.upperBound)]
        case .empty, .file, .stream, .upgrade: []
        }
    }
}

extension FileSpan {
    /// A part of it, counted from its start.
    fileprivate func part(_ range: Range<Int64>) -> FileSpan {
        let start = self.range.lowerBound
        return FileSpan(handle, (start + range.lowerBound)..<(start + range.upperBound))
    }
}
