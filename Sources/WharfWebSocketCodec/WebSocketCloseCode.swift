/// Why a WebSocket is closed (RFC 6455 §7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// A code of any number; only those that ``isSendable`` can be sent.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// All is done.
    public static let normal = Self(rawValue: 1000)
    /// This end goes: the server stops, or the page is left.
    public static let goingAway = Self(rawValue: 1001)
    /// The other end broke the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// A kind of message that this end can't take: a text where it wants bytes.
    public static let unsupportedData = Self(rawValue: 1003)
    /// A text that is not UTF-8, or other data that is not what it says.
    public static let invalidData = Self(rawValue: 1007)
    /// A message that breaks a rule for which there is no other code.
    public static let policyViolation = Self(rawValue: 1008)
    /// A message that is longer than this end takes.
    public static let messageTooBig = Self(rawValue: 1009)
    /// The client wanted an extension that the server did not agree to.
    public static let missingExtension = Self(rawValue: 1010)
    /// This end failed.
    public static let internalError = Self(rawValue: 1011)
    /// The server restarts: come again.
    public static let serviceRestart = Self(rawValue: 1012)
    /// There is too much to do: come again later.
    public static let tryAgainLater = Self(rawValue: 1013)

    // What a program is told, and what never is on the wire.

    /// The other end closed and gave no code.
    public static let noCode = Self(rawValue: 1005)
    /// The connection ended without a goodbye.
    public static let abnormal = Self(rawValue: 1006)

    /// Whether a Close frame may hold it.
    ///
    /// RFC 6455 §7.4.1 keeps 1004 for later and 1005, 1006 and 1015 for programs; the other codes
    /// below 3000 are those that are registered, and 3000 to 4999 are free.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number as text.
    public var description: String { String(rawValue) }
}
