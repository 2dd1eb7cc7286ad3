import WharfHTTP

/// Bodies that are read into memory as what their Content-Type says.
extension Request {
    /// Reads the body as text.
    ///
    /// The charset is the one of Content-Type, without one UTF-8; UTF-16, ISO-8859-1 and US-ASCII
    /// are read, too. Throws ``HTTPBodyTooLarge`` (413) if the body is longer than `byteCountMax`, and
    /// the ``HTTPError`` 415 for another charset, 400 for bytes that are no text.
    public func text(upTo byteCountMax: Int) async throws -> String {
        let charset = try charset(of: try mediaType())
        guard let text = charset.decode(try await body.collect(upTo: byteCountMax)) else {
            throw HTTPError(.badRequest, reason: "the body is no text in \(charset)")
        }
        return text
    }

    /// Reads the body as JSON.
    ///
    ///     let order = try await request.json(Order.self, upTo: 64 * 1024)
    ///
    /// Dates are ISO 8601, data is Base64. Throws ``HTTPBodyTooLarge`` (413) if the body is longer
    /// than `byteCountMax`, and the ``HTTPError`` 415 if the Content-Type is no JSON, or missing, and
    /// 400 if the body is malformed or is no such value. The log says which part is wrong.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, upTo byteCountMax: Int
    ) async throws -> Value {
        // A form of any page that a user visits can send such a text here, but not call it JSON.
        guard let mediaType = try mediaType(), mediaType.isJSON else {
            throw HTTPError(
                .unsupportedMediaType, reason: "the body isn't called JSON",
                fields: [.accept: "application/json"])
        }
        // RFC 8259 §8.1: JSON is UTF-8.
        guard try charset(of: mediaType) == .utf8 else {
            throw HTTPError(.unsupportedMediaType, reason: "JSON in another charset than UTF-8")
        }
        guard let text = TextCharset.utf8.decode(try await body.collect(upTo: byteCountMax)) else {
            throw HTTPError(.badRequest, reason: "the body is no UTF-8")
        }
        do {
            return try JSONFormat.decode(type, from: Array(text.utf8))
        } catch let error as DecodingError {
            throw HTTPError(.badRequest, reason: "the body is no \(type): \(error.summary)")
        }
    }

    /// The Content-Type; nil if there is none.
    private func mediaType() throws -> MediaType? {
        guard let value = fields[.contentType] else { return nil }
        guard let type = MediaType(value) else {
            throw HTTPError(.badRequest, reason: "malformed Content-Type \"\(value)\"")
        }
        return type
    }

    private func charset(of type: MediaType?) throws -> TextCharset {
        guard let name = type?.parameter("charset") else { return .utf8 }
        guard let charset = TextCharset(name: name) else {
            throw HTTPError(.unsupportedMediaType, reason: "unknown charset \"\(name)\"")
        }
        return charset
    }
}

extension MediaType {
    fileprivate var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || subtype.hasSuffix("+json")
    }
}

extension DecodingError {
    /// What is wrong and where, in a line: `items.0.name: Expected ...`.
    fileprivate var summary: String {
        let context: Context?
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
            context = found
        case .keyNotFound(let key, let found):
            let path = found.codingPath + [key]
            return "\(Self.text(path)): it is missing"
        @unknown default: context = nil
        }
        guard let context else { return "\(self)" }
        guard !context.codingPath.isEmpty else { return context.debugDescription }
        return "\(Self.text(context.codingPath)): \(context.debugDescription)"
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    }
}
