/// Checks chunk extensions, `;name=value` or `;name="value"`, which are then ignored (RFC 9112
/// §7.1.1).
///
/// The caller bounds their length.
struct ChunkExtensionParser: Sendable {
    private enum Stage: UInt8 {
        case nameStart, name, valueStart, token, quoted, escaped, quotedEnd
    }

    private var stage = Stage.nameStart

    /// Takes the next byte after the first semicolon; true at the CR that ends the line.
    mutating func read(_ byte: UInt8) throws(HTTPParseError) -> Bool {
        switch stage {
        case .nameStart where ASCII.isToken(byte): stage = .name
        // RFC 9112 §7.1.1: bad white space, which a recipient has to take before a name.
        case .nameStart where ASCII.isWhitespace(byte): break
        case .name where ASCII.isToken(byte): break
        case .name where byte == ASCII.equals: stage = .valueStart
        case .valueStart where byte == ASCII.quote: stage = .quoted
        case .valueStart where ASCII.isToken(byte): stage = .token
        case .token where ASCII.isToken(byte): break
        case .quoted where byte == ASCII.quote: stage = .quotedEnd
        case .quoted where byte == ASCII.backslash: stage = .escaped
        case .quoted where ASCII.isFieldContent(byte): break
        case .escaped where ASCII.isFieldContent(byte): stage = .quoted
        case .name, .token, .quotedEnd:
            if byte == ASCII.carriageReturn { return true }
            guard byte == ASCII.semicolon else { throw .bad("malformed chunk extension") }
            stage = .nameStart
        default: throw .bad("malformed chunk extension")
        }
        return false
    }
}
