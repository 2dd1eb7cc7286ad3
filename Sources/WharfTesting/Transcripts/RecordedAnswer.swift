import WharfHTTP

/// An answer as it was recorded, read leniently: some were edited by hand.
struct RecordedAnswer {
    let status: Int
    let fields: HTTPFields
    /// The body without what frames it; it may end early.
    let body: [UInt8]

    /// Reads the last answer in the bytes: interim ones (1xx) may go before it.
    ///
    /// `nil` if there is none.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while true {
            guard let (status, fields, body) = Self.head(rest) else { return nil }
            if status < 200, status != 101 {
                rest = body
                continue
            }
            self.status = status
            self.fields = fields
            let isChunked = fields[.transferEncoding]?.lowercased() == "chunked"
            self.body = isChunked ? Self.dechunked(body) : Array(body)
            return
        }
    }

    private static func head(_ bytes: ArraySlice<UInt8>)
        -> (status: Int, fields: HTTPFields, body: ArraySlice<UInt8>)?
    {
        var lines: [String] = []
        var rest = bytes
        while true {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            var line = rest[..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        guard let words = lines.first?.split(separator: " "), words.count >= 2,
            words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...999).contains(status)
        else { return nil }
        var fields: HTTPFields = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"),
                let name = HTTPField.Name(String(line[..<colon]))
            else { return nil }
            fields.append(HTTPField(name: name, value: String(line[line.index(after: colon)...])))
        }
        return (status, fields, rest)
    }

    /// The data of chunks, as far as they go.
    private static func dechunked(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoder = ChunkedDecoder()
        var data: [UInt8] = []
        var rest = bytes
        while !rest.isEmpty, !decoder.isFinished {
            // What is no chunk ends what is known of the body.
            guard let step = try? decoder.decode(rest.span), step.consumed > 0 else { break }
            data += rest[(rest.startIndex + step.data.lowerBound)...].prefix(step.data.count)
            rest = rest.dropFirst(step.consumed)
        }
        return data
    }

    /// Whether the client had gone before it had all of the body.
    var isCut: Bool { fields[.contentLength].flatMap { Int($0) }.map { body.count < $0 } ?? false }
}
