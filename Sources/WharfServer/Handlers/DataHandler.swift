import WharfHTTP

/// Serves bytes in memory that never change: with ranges and conditions.
///
/// Mounted at a path it answers that path and nothing below; mounted at `/`, every path that
/// nothing else does.
public struct DataHandler: HTTPHandler {
    private let response: Response

    /// Serves bytes of a media type.
    ///
    /// Clients may keep them for `cacheAge` before they ask again: zero has them ask each time, with
    /// `nil` nothing is said. With an `attachmentName` browsers save them as a file.
    public init(
        _ bytes: [UInt8], contentType: String = "application/octet-stream",
        cacheAge: Duration? = .zero, attachmentName: String? = nil
    ) {
        var fields = ReadOnly.fields(cacheAge: cacheAge)
        fields[.contentDisposition] = attachmentName.map {
            ContentDisposition.attachment(named: $0)
        }
        fields[.eTag] = Self.tag(of: bytes).description
        response = Response(fields: fields, contentType: contentType, body: .bytes(bytes))
            .compressed()
    }

    /// Serves a text in UTF-8.
    public init(
        text: String, contentType: String = "text/plain; charset=utf-8",
        cacheAge: Duration? = .zero
    ) {
        self.init(Array(text.utf8), contentType: contentType, cacheAge: cacheAge)
    }

    /// Answers GET and HEAD with the bytes, and OPTIONS with what can be asked.
    public func respond(to request: Request) async throws -> Response {
        try answer(request)
    }

    private func answer(_ request: Request) throws -> Response {
        do {
            guard request.mountPath.isEmpty || request.pathBelowMount.isEmpty else {
                throw HTTPError(.notFound)
            }
            return try ReadOnly.answer(to: request.method) ?? response
        } catch {
            throw ReadOnly.refusal(error)
        }
    }

    /// A tag made of the length and two sums of the content, alike in each run of the program.
    private static func tag(of bytes: [UInt8]) -> EntityTag {
        // FNV-1a, forwards and backwards. Nobody has a reason to make two contents collide here.
        func sum(_ bytes: some Sequence<UInt8>) -> UInt64 {
            bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let parts = [UInt64(bytes.count), sum(bytes), sum(bytes.reversed())]
        return EntityTag(parts.map { String($0, radix: 16) }.joined(separator: "-"))
    }
}

extension DataHandler: InPlaceHandler {
    package func respondAtOnce(to request: Request) throws -> Response? { try answer(request) }
}
