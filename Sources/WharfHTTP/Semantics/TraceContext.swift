/// Where a request belongs in a trace: the value of a `traceparent` field (W3C Trace Context §3.2).
public struct TraceContext: Sendable, Hashable {
    /// The trace: 32 hexadecimal digits in small letters.
    public let traceID: String
    /// Who asks, in the trace: 16 hexadecimal digits in small letters.
    public let parentID: String
    /// What was decided about the trace.
    public let flags: UInt8

    /// Whether the caller may have recorded the trace.
    public var isSampled: Bool { flags & 1 == 1 }

    /// Reads a value, or answers `nil` if it is malformed: then a new trace begins.
    public init?(_ value: String) {
        let bytes = Array(value.utf8)
        // §3.2.2.2: version 00 has exactly this much; later ones may have more behind a hyphen.
        guard bytes.count == 55 || (bytes.count > 55 && bytes[55] == ASCII.hyphen),
            [2, 35, 52].allSatisfy({ bytes[$0] == ASCII.hyphen }),
            let version = Self.digits(bytes[0..<2]), version != "ff",
            version != "00" || bytes.count == 55,
            let traceID = Self.digits(bytes[3..<35]), let parentID = Self.digits(bytes[36..<52]),
            let flags = Self.digits(bytes[53..<55]).flatMap({ UInt8($0, radix: 16) })
        else { return nil }
        self.init(traceID: traceID, parentID: parentID, flags: flags)
    }

    /// Makes a context of its parts; `nil` if an identifier has another form, or is all zeros.
    public init?(traceID: String, parentID: String, flags: UInt8) {
        guard Self.isID(traceID, count: 32), Self.isID(parentID, count: 16) else { return nil }
        self.traceID = traceID
        self.parentID = parentID
        self.flags = flags
    }

    private static func isID(_ text: String, count: Int) -> Bool {
        text.utf8.count == count && digits(Array(text.utf8)[...]) != nil
            && text.utf8.contains { $0 != ASCII.zero }
    }

    /// The text of hexadecimal digits in small letters.
    private static func digits(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.allSatisfy({ ASCII.hexValue($0) != nil && ASCII.lowercased($0) == $0 })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TraceContext: CustomStringConvertible {
    /// The value of a `traceparent` field, in version 00.
    public var description: String {
        "00-\(traceID)-\(parentID)-\(flags < 16 ? "0" : "")\(String(flags, radix: 16))"
    }
}
