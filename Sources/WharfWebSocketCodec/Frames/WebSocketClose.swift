/// What a Close frame says (RFC 6455 §5.5.1).
public struct WebSocketClose: Sendable, Hashable {
    /// Why; ``WebSocketCloseCode/noCode`` when the frame is empty.
    public let code: WebSocketCloseCode
    /// In words, for the log.
    public let reason: String

    /// Makes one.
    public init(_ code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Reads a Close frame's payload.
    init(payload: [UInt8]) throws(WebSocketError) {
        guard !payload.isEmpty else {
            self.init(.noCode)
            return
        }
        guard payload.count >= 2 else { throw .broken("a Close frame of one byte") }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { throw .broken("a close code that can't be sent") }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw .notUTF8
        }
        self.init(code, reason: reason)
    }

    /// The payload of a Close frame: empty for a code that can't be sent, the reason cut to what
    /// fits.
    package var payload: [UInt8] {
        guard code.isSendable else { return [] }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        // RFC 6455 §5.5: 125 bytes at most, and §5.5.1 wants UTF-8: no character is cut.
        for character in reason.unicodeScalars {
            let bytes = Array(String(character).utf8)
            guard payload.count + bytes.count <= 125 else { break }
            payload += bytes
        }
        return payload
    }
}
