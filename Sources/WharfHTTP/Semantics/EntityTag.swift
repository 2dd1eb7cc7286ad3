/// An entity tag: what tells two versions of a resource apart (RFC 9110 §8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// Whether the tag only promises equivalent content, not equal bytes.
    public let isWeak: Bool

    /// The text between the quotes.
    public let opaqueTag: String

    /// A tag; characters that cannot stand in one become `-`.
    public init(_ opaqueTag: String, isWeak: Bool = false) {
        self.isWeak = isWeak
        let bytes = opaqueTag.utf8.map { Self.isTagCharacter($0) ? $0 : ASCII.hyphen }
        self.opaqueTag = String(decoding: bytes, as: UTF8.self)
    }

    /// Reads one tag, `"x"` or `W/"x"`, or returns nil.
    public init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var index = 0
        guard let tag = Self.read(bytes, &index), index == bytes.count else { return nil }
        self = tag
    }

    /// Whether both tags are strong and equal (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaqueTag == other.opaqueTag
    }

    /// Whether the texts are equal, whatever the strength (RFC 9110 §8.8.3.2).
    public func matchesWeakly(_ other: EntityTag) -> Bool {
        opaqueTag == other.opaqueTag
    }

    /// The tag of the same version in a coding.
    package func variant(_ coding: ContentCoding) -> EntityTag {
        EntityTag(unchecked: "\(opaqueTag)-\(coding.rawValue)", isWeak: isWeak)
    }

    /// Whether the tag is that of another one's version, in whichever coding.
    func isVariant(of other: EntityTag) -> Bool {
        matchesStrongly(other)
            || ContentCoding.allCases.contains { matchesStrongly(other.variant($0)) }
    }

    /// What If-Match and If-None-Match hold.
    public enum List: Sendable, Hashable {
        /// `*`: any tag at all.
        case any
        /// These tags.
        case tags([EntityTag])

        /// Reads a list, or returns nil if it is malformed; empty elements are skipped
        /// (RFC 9110 §5.6.1.2).
        public init?(parsing text: some StringProtocol) {
            let bytes = Array(text.utf8)
            let trimmed = bytes.span.trimmed(bytes.indices)
            if bytes[trimmed].elementsEqual("*".utf8) {
                self = .any
                return
            }
            var tags: [EntityTag] = []
            var index = trimmed.lowerBound
            while index < trimmed.upperBound {
                if ASCII.isWhitespace(bytes[index]) || bytes[index] == ASCII.comma {
                    index += 1
                    continue
                }
                guard let tag = EntityTag.read(bytes, &index) else { return nil }
                tags.append(tag)
                while index < trimmed.upperBound, ASCII.isWhitespace(bytes[index]) { index += 1 }
                guard index == trimmed.upperBound || bytes[index] == ASCII.comma else {
                    return nil
                }
            }
            guard !tags.isEmpty else { return nil }
            self = .tags(tags)
        }
    }

    private init(unchecked opaqueTag: String, isWeak: Bool) {
        self.opaqueTag = opaqueTag
        self.isWeak = isWeak
    }

    private static func read(_ bytes: [UInt8], _ index: inout Int) -> EntityTag? {
        let isWeak = bytes[index...].starts(with: "W/".utf8)
        if isWeak { index += 2 }
        guard index < bytes.count, bytes[index] == ASCII.quote else { return nil }
        index += 1
        let start = index
        while index < bytes.count, isTagCharacter(bytes[index]) { index += 1 }
        guard index < bytes.count, bytes[index] == ASCII.quote else { return nil }
        index += 1
        let text = String(fieldBytes: bytes[start..<index - 1])
        return EntityTag(unchecked: text, isWeak: isWeak)
    }

    // RFC 9110 §8.8.3: `etagc`, all but controls, space and the quote.
    private static func isTagCharacter(_ byte: UInt8) -> Bool {
        byte > ASCII.space && byte != ASCII.quote && byte != ASCII.delete
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as it is sent.
    public var description: String { (isWeak ? "W/\"" : "\"") + opaqueTag + "\"" }
}
