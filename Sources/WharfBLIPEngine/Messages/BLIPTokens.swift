/// Texts that BLIP 2 sends as one control character, as names and as values.
enum BLIPTokens {
    private static let texts = [
        "Profile", "Error-Code", "Error-Domain", "Content-Type", "application/json",
        "application/octet-stream", "text/plain; charset=UTF-8", "text/xml", "Accept",
        "Cache-Control", "must-revalidate", "If-Match", "If-None-Match", "Location",
    ]

    private static let tokens = Dictionary(
        uniqueKeysWithValues: zip(texts, 1...).map { ($0, UInt8($1)) })

    /// The first one is 1.
    static func text(of token: UInt8) -> String? {
        (1...texts.count).contains(Int(token)) ? texts[Int(token) - 1] : nil
    }

    static func token(of text: String) -> UInt8? { tokens[text] }
}
