/// The path of a request, decoded and safe to walk: segments without separators or tricks.
public struct RequestPath: Sendable, Hashable {
    /// The decoded segments; no empty one, no `.`, no `..`.
    ///
    /// They are bytes: not always UTF-8.
    public let segments: [[UInt8]]

    /// Whether the path ended in a slash, so that it names a folder.
    ///
    /// True for the root.
    public let hasTrailingSlash: Bool

    /// Whether no segment was left out: none was empty, `.` or `..`.
    ///
    /// Two texts for one place can pass whoever looks at the text.
    public let isCanonical: Bool

    /// What follows the question mark, as sent; nil if there was none.
    public let query: String?

    /// More segments than these are refused: no file system is that deep.
    public static let segmentCountMax = 512

    /// Takes the target of a request apart, or returns nil if it has to be refused with 400: it
    /// does not begin with a slash, has a malformed escape, a NUL, a backslash, an encoded slash,
    /// or leaves its root by `..`.
    ///
    /// Escapes are decoded once, after splitting, so that what one layer has judged another cannot
    /// read differently.
    public init?(_ target: some StringProtocol) {
        do throws(HTTPParseError) {
            try self.init(validating: target)
        } catch {
            return nil
        }
    }

    /// Takes the target of a request apart, or throws why it has to be refused; see ``init(_:)``.
    package init(validating target: some StringProtocol) throws(HTTPParseError) {
        let bytes = Array(target.utf8)
        guard bytes.first == ASCII.slash else {
            throw .bad("the path begins with no slash")
        }
        let queryStart = bytes.firstIndex(of: ASCII.question)
        let path = bytes[..<(queryStart ?? bytes.count)]
        query = queryStart.map { String(fieldBytes: bytes[($0 + 1)...]) }
        var segments: [[UInt8]] = []
        var isFolder = true
        var count = 0
        for part in path.split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(part) else {
                throw .bad("the path has a malformed escape")
            }
            guard Self.isSafe(segment) else {
                throw .bad("a segment of the path has a slash, a backslash or a NUL in it")
            }
            isFolder = true
            count += 1
            if segment.isEmpty || segment.elementsEqual(".".utf8) { continue }
            if segment.elementsEqual("..".utf8) {
                guard segments.popLast() != nil else {
                    throw .bad("the path leads out of its root")
                }
                continue
            }
            guard segments.count < Self.segmentCountMax else {
                throw .bad("the path has too many segments")
            }
            segments.append(segment)
            isFolder = false
        }
        self.segments = segments
        hasTrailingSlash = isFolder
        // The one before the first slash, and the one after the last, are empty as they should be.
        isCanonical = count == segments.count + (isFolder ? 2 : 1)
    }

    /// The path encoded again, in its one canonical form; never begins with two slashes.
    public var encoded: String {
        let joined = segments.map { "/" + PercentEncoding.encode($0, for: .pathSegment) }.joined()
        return hasTrailingSlash ? joined + "/" : joined
    }

    private static func isSafe(_ segment: [UInt8]) -> Bool {
        segment.allSatisfy { $0 != 0 && $0 != ASCII.slash && $0 != ASCII.backslash }
    }
}
