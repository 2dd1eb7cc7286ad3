import WharfHTTP
package import WharfNet

extension Response {
    /// A file, the parts of it that are asked for, or the news that the client has it already.
    ///
    /// For GET and HEAD. It obeys the conditions and ranges of the request (RFC 9110 §13, §14) and
    /// throws the ``HTTPError`` that they come to: 412 or 416.
    package static func file(_ file: OpenedFile, contentType: String, for request: Request) throws
        -> Response
    {
        let length = file.status.size
        let validators = FileValidators(file.status, now: file.handle.system.unixTime())
        let outcome = Preconditions.evaluate(
            request.head, exists: true, eTag: validators.eTag,
            lastModified: validators.lastModified)
        switch outcome {
        case .proceed: break
        case .notModified: return Response(status: .notModified, fields: validators.fields)
        case .preconditionFailed: throw HTTPError(.preconditionFailed)
        }
        var response = Response(fields: validators.fields, contentType: contentType)
        response.fields[.acceptRanges] = "bytes"
        switch validators.ranges(for: request, length: length) {
        case .ignored:
            response.body = .file([FileSlice(span: FileSpan(file.handle, 0..<length))])
        case .unsatisfiable:
            throw HTTPError(
                .rangeNotSatisfiable,
                fields: [.contentRange: "bytes */\(length)", .acceptRanges: "bytes"])
        case .ranges(let ranges):
            response.status = .partialContent
            if ranges.count == 1, let range = ranges.first {
                response.fields[.contentRange] = RangeRequest.contentRange(range, length: length)
                response.body = .file([FileSlice(span: FileSpan(file.handle, range))])
            } else {
                response.setParts(of: file, ranges, contentType: contentType)
            }
        }
        return response
    }

    /// Several ranges as the parts of one body (RFC 9110 §14.6).
    private mutating func setParts(
        of file: OpenedFile, _ ranges: [Range<Int64>], contentType type: String
    ) {
        let boundary = "wharf-" + String(UInt64.random(in: .min ... .max), radix: 36)
        var slices: [FileSlice] = []
        var separator = "--\(boundary)\r\n"
        for range in ranges {
            let part = RangeRequest.contentRange(range, length: file.status.size)
            let head = "\(separator)Content-Type: \(type)\r\nContent-Range: \(part)\r\n\r\n"
            slices.append(
                FileSlice(prefix: Array(head.utf8), span: FileSpan(file.handle, range)))
            separator = "\r\n--\(boundary)\r\n"
        }
        slices.append(FileSlice(prefix: Array("\r\n--\(boundary)--\r\n".utf8), span: nil))
        contentType = "multipart/byteranges; boundary=\(boundary)"
        body = .file(slices)
    }
}
