/// How large the head of a message may be.
///
/// A limit refuses as soon as it is passed.
public struct HTTPHeadLimits: Sendable, Hashable {
    /// Bytes of the request or status line without its end; past it 414.
    public let requestLineMax: Int
    /// Bytes of one field line without its end; past it 431.
    public let fieldMax: Int
    /// Bytes of all field lines with their ends; past it 431.
    public let fieldsMax: Int
    /// Number of field lines; past it 431.
    public let fieldCountMax: Int

    /// Limits; each is held between nothing and 16 MiB.
    public init(
        requestLineMax: Int = 8192, fieldMax: Int = 8192, fieldsMax: Int = 32768,
        fieldCountMax: Int = 100
    ) {
        func bounded(_ value: Int) -> Int { min(max(value, 0), 1 << 24) }
        self.requestLineMax = bounded(requestLineMax)
        self.fieldMax = bounded(fieldMax)
        self.fieldsMax = bounded(fieldsMax)
        self.fieldCountMax = bounded(fieldCountMax)
    }

    /// RFC 9112 §7.1.2: what a trailer section may hold.
    static let trailers = Self(fieldsMax: 8192)
}
