/// How much of a multipart body may be anything but data.
///
/// The data itself is bounded by the limit of the body. A limit refuses as soon as it is passed.
public struct MultipartLimits: Sendable, Hashable {
    /// Number of parts.
    public let partCountMax: Int
    /// Bytes of one field line of a part without its end.
    public let fieldMax: Int
    /// Bytes of all field lines of a part with their ends.
    public let fieldsMax: Int
    /// Number of field lines of a part.
    public let fieldCountMax: Int
    /// Bytes of text before the first part.
    public let preambleMax: Int
    /// Bytes of a boundary.
    public let boundaryMax: Int

    /// Limits; each is held between nothing and 16 MiB, that of a boundary below 256.
    ///
    /// RFC 2046 §5.1.1 lets a boundary have 70 characters.
    public init(
        partCountMax: Int = 1000, fieldMax: Int = 8192, fieldsMax: Int = 16384,
        fieldCountMax: Int = 32, preambleMax: Int = 8192, boundaryMax: Int = 70
    ) {
        func bounded(_ value: Int) -> Int { min(max(value, 0), 1 << 24) }
        self.partCountMax = bounded(partCountMax)
        self.fieldMax = bounded(fieldMax)
        self.fieldsMax = bounded(fieldsMax)
        self.fieldCountMax = bounded(fieldCountMax)
        self.preambleMax = bounded(preambleMax)
        self.boundaryMax = min(bounded(boundaryMax), 255)
    }

    /// The same, as the parser of field lines wants it.
    var head: HTTPHeadLimits {
        HTTPHeadLimits(fieldMax: fieldMax, fieldsMax: fieldsMax, fieldCountMax: fieldCountMax)
    }
}
