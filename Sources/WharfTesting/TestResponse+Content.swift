import WharfHTTP

extension TestResponse {
    private static let contentMax: Int64 = 64 * 1024 * 1024

    /// The body without its `Content-Encoding`: what was compressed (RFC 9110 §8.4).
    ///
    /// `nil` when it can't be decompressed: another coding than gzip or deflate, broken or cut, or
    /// more than 64 MiB.
    public var content: [UInt8]? {
        guard let name = fields[.contentEncoding] else { return body }
        guard let coding = ContentCoding(name: name),
            var inflater = try? Inflater(coding.format, totalMax: Self.contentMax)
        else { return nil }
        var content: [UInt8] = []
        var start = 0
        while !inflater.isFinished {
            guard
                let step = try? inflater.inflate(
                    body.span.extracting(start..<body.count), to: &content),
                step.consumed > 0 || step.produced > 0
            else { return nil }
            start += step.consumed
        }
        return content
    }
}
