/// Texts that BLIP 1.1 and 2 send as one control character, as names and as values.
struct BLIPTokens: Sendable {
    private let texts: [String]
    private let tokens: [String: UInt8]

    private init(_ texts: [String]) {
        self.texts = texts
        tokens = Dictionary(uniqueKeysWithValues: zip(texts, 1...).map { ($0, UInt8($1)) })
    }

    /// Those of a version; BLIP 3 has none.
    static func of(_ version: BLIPVersion) -> BLIPTokens? {
        switch version {
        case .v1: first
        case .v2: second
        case .v3: nil
        }
    }

    private static let first = BLIPTokens([
        "Content-Type", "Profile", "application/octet-stream", "text/plain; charset=UTF-8",
        "text/xml", "text/yaml", "Channel", "Error-Code", "Error-Domain",
    ])

    private static let second = BLIPTokens([
        "Profile", "Error-Code", "Error-Domain", "Content-Type", "application/json",
        "application/octet-stream", "text/plain; charset=UTF-8", "text/xml", "Accept",
        "Cache-Control", "must-revalidate", "If-Match", "If-None-Match", "Location",
    ])

    /// The text of a token; the first one is 1.
    func text(of token: UInt8) -> String? {
        (1...texts.count).contains(Int(token)) ? texts[Int(token) - 1] : nil
    }

    func token(of text: String) -> UInt8? { tokens[text] }
}
