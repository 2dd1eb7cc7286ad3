/// One cookie of a request: what a client sends back of what it was given.
public struct Cookie: Sendable, Hashable {
    /// The name, as it was sent; upper and lower case differ.
    public let name: String

    /// The value, as it was sent, with its quotes if it has some (RFC 6265 §5.2 keeps them).
    public let value: String
}

/// The cookies of a request, in the order in which they were sent (RFC 6265 §4.2).
///
/// Reading forgives as RFC 6265 §5.2 does: what is no pair is left out, and what surrounds it still
/// counts. Clients send the cookie of the most specific path first, and anybody on the way can add
/// some, so a cookie alone proves nothing.
public struct Cookies: Sendable, Hashable {
    /// The number of cookies that are read; what follows them is ignored.
    public static let countMax = 256

    private var cookies: [Cookie] = []

    /// Reads the Cookie lines of a request, one as if it followed the other.
    public init(_ fields: HTTPFields) {
        for value in fields[values: .cookie] { read(value) }
    }

    /// Reads the value of a Cookie field.
    public init(parsing text: some StringProtocol) {
        read(text)
    }

    /// The value of the first cookie of that name, or nil if there is none.
    public subscript(name: String) -> String? {
        cookies.first { $0.name == name }?.value
    }

    private mutating func read(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count, cookies.count < Self.countMax {
            let end = bytes[start...].firstIndex(of: ASCII.semicolon) ?? bytes.count
            if let cookie = Self.cookie(bytes, start..<end) { cookies.append(cookie) }
            start = end + 1
        }
    }

    // RFC 6265 §5.2: the name ends at the first `=`; white space around both is dropped; a pair
    // without `=` or without a name is ignored. §4.1.1: controls can stand in neither.
    private static func cookie(_ bytes: [UInt8], _ range: Range<Int>) -> Cookie? {
        guard let equals = bytes[range].firstIndex(of: ASCII.equals) else { return nil }
        let name = bytes.span.trimmed(range.lowerBound..<equals)
        let value = bytes.span.trimmed(equals + 1..<range.upperBound)
        guard !name.isEmpty, bytes[name].allSatisfy(ASCII.isFieldContent),
            bytes[value].allSatisfy(ASCII.isFieldContent)
        else { return nil }
        return Cookie(
            name: String(decoding: bytes[name], as: UTF8.self),
            value: String(decoding: bytes[value], as: UTF8.self))
    }
}

extension Cookies: RandomAccessCollection {
    /// Where the first cookie is: 0.
    public var startIndex: Int { 0 }

    /// The number of cookies.
    public var endIndex: Int { cookies.count }

    /// The cookie at a position.
    public subscript(position: Int) -> Cookie { cookies[position] }
}
