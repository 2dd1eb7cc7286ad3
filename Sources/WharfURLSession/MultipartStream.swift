public import Foundation
import WharfHTTPClient
public import WharfUploadClient

extension Multipart {
    /// The body as a stream, for `urlSession(_:task:needNewBodyStream:)` on Linux; a new one for each
    /// call.
    ///
    /// A read waits for the disk and never answers nothing before the end. URLSession sends it in
    /// chunks (`Transfer-Encoding: chunked`). Apple's sessions want streams of their own making: give
    /// them a file there, see ``writeFile(to:)``.
    public func makeStream() -> InputStream { MultipartStream(segments) }
}

/// Reads pieces one after the other.
private final class MultipartStream: InputStream {
    private let segments: [HTTPClient.Body.Segment]
    private var index = 0
    /// What of the present piece was read.
    private var offset: Int64 = 0
    private var status = Stream.Status.notOpen
    private var failure: (any Error)?

    init(_ segments: [HTTPClient.Body.Segment]) {
        self.segments = segments
        super.init(data: Data())
    }

    override func open() { status = .open }
    override func close() { status = .closed }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
        guard status == .open, count > 0 else { return status == .error ? -1 : 0 }
        do {
            let bytes = try next(count)
            // The buffer has room for `count` bytes, and there are no more.
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes)
            if bytes.isEmpty { status = .atEnd }
            return bytes.count
        } catch {
            failure = error
            status = .error
            return -1
        }
    }

    /// At most so many bytes; none only at the end.
    private func next(_ count: Int) throws -> [UInt8] {
        while index < segments.count {
            let rest = segments[index].count - offset
            guard rest > 0 else {
                if case .file(let source) = segments[index] { try source.checkUnchanged() }
                index += 1
                offset = 0
                continue
            }
            let bytes = try piece(Int(min(rest, Int64(count))))
            offset += Int64(bytes.count)
            return bytes
        }
        return []
    }

    private func piece(_ count: Int) throws -> [UInt8] {
        switch segments[index] {
        case .bytes(let bytes):
            return Array(bytes[Int(offset)..<(Int(offset) + count)])
        case .file(let source):
            let start = source.range.lowerBound + offset
            var bytes: [UInt8] = []
            try source.part(start..<(start + Int64(count))).forEachPiece { bytes += $0 }
            return bytes
        }
    }
}
