import WharfCrypto
import WharfHTTP
import WharfServer

/// Tells forms of our own pages from those of other sites, where no script runs: a cookie has a
/// random value, and the form a code of it that nobody else can make.
struct FormToken: Sendable {
    private let key = KeyedHash(key: Random.bytes(32))

    private static let cookieName = "wharf-form"
    private static let byteCount = 16

    /// The cookie to be set, unless the client has it, and the text for the form.
    func make(for request: Request) -> (SetCookie?, String) {
        if let value = request.cookies[Self.cookieName], value.utf8.count == 2 * Self.byteCount {
            return (nil, code(of: value))
        }
        let value = Self.hexadecimal(Random.bytes(Self.byteCount))
        let cookie = try? SetCookie(
            Self.cookieName, value, path: "/", isSecure: request.scheme == "https",
            isHTTPOnly: true, sameSite: .strict)
        return (cookie, code(of: value))
    }

    /// Whether a form's text fits the cookie that came with it.
    func accepts(_ text: String, from request: Request) -> Bool {
        guard let value = request.cookies[Self.cookieName] else { return false }
        let wanted = code(of: value).utf8
        guard wanted.count == text.utf8.count else { return false }
        // In a time that doesn't tell how much of it was right.
        return zip(wanted, text.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func code(of value: String) -> String {
        let bytes = Array(value.utf8)
        return Self.hexadecimal(key.code(of: bytes.span))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
