/// The fields of a form or a query: `name=value&other=value` (WHATWG URL, §5).
///
/// Names may come more than once and keep their order. Brackets in names mean nothing: `a[b]` is a
/// name like any other.
public struct URLEncodedForm: Sendable, Hashable {
    /// One name and its value, decoded.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value; empty when there was no equals sign.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in their order.
    public var fields: [Field]

    /// A form with fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Reads a form, or returns nil if it has more than `fieldCountMax` fields.
    ///
    /// Otherwise nothing is refused, as browsers do: a plus sign is a space, a percent sign without
    /// two digits behind it stands for itself, and what is no UTF-8 becomes a replacement character.
    public init?(parsing text: some StringProtocol, fieldCountMax: Int = 1000) {
        self.init(parsing: Array(text.utf8), fieldCountMax: fieldCountMax)
    }

    /// Reads a form from the bytes of a body; see ``init(parsing:fieldCountMax:)-(StringProtocol,_)``.
    public init?(parsing bytes: [UInt8], fieldCountMax: Int = 1000) {
        fields = []
        for part in bytes.split(separator: 0x26) {
            guard fields.count < fieldCountMax else { return nil }
            let nameEnd = part.firstIndex(of: ASCII.equals) ?? part.endIndex
            fields.append(
                Field(
                    name: Self.decode(part[..<nameEnd]),
                    value: Self.decode(part[nameEnd...].dropFirst())))
        }
    }

    /// The first value of a name; `nil` if there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of a name, in their order.
    public subscript(values name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == 0x2B {
                result.append(ASCII.space)
            } else if byte == ASCII.percent, let value = hexPair(rest) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexPair(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        let digits = bytes.prefix(2).compactMap { ASCII.hexValue($0) }
        return digits.count == 2 ? digits[0] << 4 | digits[1] : nil
    }
}

extension URLEncodedForm: CustomStringConvertible {
    /// The form as it is sent.
    public var description: String {
        fields.map {
            PercentEncoding.encode($0.name, for: .query) + "="
                + PercentEncoding.encode($0.value, for: .query)
        }.joined(separator: "&")
    }
}
