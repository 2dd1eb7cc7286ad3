import WharfHTTP
import WharfNet

/// How an answer is chosen among itself and its compressed variants.
extension Response {
    /// Becomes the variant that the client wants, except for the body, and answers its coding; nil:
    /// as it is.
    ///
    /// Caches are told of the choice on each variant (RFC 9110 §12.5.5). A strong tag is of one
    /// variant only (§8.8.3.3). Throws the ``HTTPError`` 406 if the client takes none.
    mutating func takeCoding(
        for request: HTTPRequest, by policy: CompressionPolicy
    ) throws -> ContentCoding? {
        guard isCompressible(policy) else { return nil }
        fields.addVary(.acceptEncoding)
        // Parts are of the bytes as they are, so that what was begun can go on.
        let wantsPart = request.headerFields.contains(.range) && body.hasParts
        switch AcceptedEncodings(parsing: request.headerFields[.acceptEncoding]).choice {
        case .coding(let coding) where !wantsPart:
            fields[.contentEncoding] = coding.rawValue
            fields[.acceptRanges] = "none"
            if let tag = eTag, !tag.isWeak { eTag = tag.variant(coding) }
            return coding
        case .coding, .identity:
            return nil
        case .nothing:
            throw HTTPError(.notAcceptable, fields: [.vary: "Accept-Encoding"])
        }
    }

    /// Whether it may be compressed, whatever it is.
    func isCompressionCandidate(_ policy: CompressionPolicy) -> Bool {
        switch compression {
        case .automatic: body.isFile && policy.compressesFiles
        case .allowed: true
        case .forbidden: false
        }
    }

    private func isCompressible(_ policy: CompressionPolicy) -> Bool {
        guard ResponseFraming(status, length: 1, version: .http11) != .none,
            status != .partialContent, !body.isUpgrade, !fields.contains(.contentEncoding),
            !fields.contains(.contentRange), let type = fields[.contentType] ?? contentType,
            MediaType.isCompressible(type),
            !(fields[.cacheControl]?.contains("no-transform") ?? false)
        else { return false }
        guard let length = body.length else { return true }
        return length >= policy.byteCountMin && (!body.isFile || length <= policy.fileByteCountMax)
    }

    /// The same answer with its body compressed.
    func compressed(with coding: ContentCoding, _ policy: CompressionPolicy) throws -> Response {
        var response = self
        response.body = try body.compressed(with: coding, level: policy.level)
        return response
    }
}

extension ResponseBody {
    /// As much as may be compressed at once, without giving others a turn.
    private static let atOnceMax = BodyEncoder.pieceMax

    var isFile: Bool {
        if case .file = storage { true } else { false }
    }

    fileprivate func compressed(with coding: ContentCoding, level: Int) throws -> ResponseBody {
        let write: @Sendable (HTTPBodyWriter) async throws -> Void
        switch storage {
        case .empty, .upgrade: return self
        case .bytes(let bytes) where bytes.count <= Self.atOnceMax:
            return .bytes(try BodyEncoder.encode(bytes, coding, level: level))
        case .string(let text) where text.utf8.count <= Self.atOnceMax:
            return .bytes(try BodyEncoder.encode(Array(text.utf8), coding, level: level))
        case .bytes(let bytes): write = { try await $0.write(bytes) }
        case .string(let text): write = { try await $0.write(text) }
        case .file(let slices):
            write = { writer in
                for slice in slices {
                    try await writer.write(slice.prefix)
                    if let span = slice.span { try await writer.write(span) }
                }
            }
        case .stream(let source):
            return ResponseBody(.stream(source.encoded(with: coding, level: level)))
        }
        let source = StreamSource(length: length, write)
        return ResponseBody(.stream(source.encoded(with: coding, level: level)))
    }
}
