/// Which message something is about: the numbers of each end's requests run apart.
public struct BLIPMessageID: Sendable, Hashable {
    /// Whether it is a request, or the reply to one.
    public let isReply: Bool
    /// The request's number.
    public let number: UInt64

    package static func request(_ number: UInt64) -> Self { Self(isReply: false, number: number) }
    package static func reply(to number: UInt64) -> Self { Self(isReply: true, number: number) }
}

/// What is known of a message once its properties are there.
public struct BLIPMessageHead: Sendable, Hashable {
    /// Its properties.
    public var properties: BLIPProperties
    /// Whether it overtakes others.
    public var isUrgent = false
    /// Whether its sender waits for no reply.
    public var wantsNoReply = false
    /// Whether it is a reply that tells of an error.
    public var isError = false
    /// BLIP 1.1 and 2: whether it is about the connection.
    public var isMeta = false

    /// Makes a head.
    public init(_ properties: BLIPProperties = BLIPProperties()) {
        self.properties = properties
    }
}

/// A message to be sent, or its beginning.
package struct BLIPOutgoing: Sendable, Hashable {
    /// Properties and flags.
    package var head: BLIPMessageHead
    /// The body, or what there is of it.
    package var body: [UInt8]
    /// Whether it is to be compressed.
    package var isCompressed: Bool

    package init(
        _ properties: BLIPProperties = BLIPProperties(), body: [UInt8] = [],
        isCompressed: Bool = false
    ) {
        head = BLIPMessageHead(properties)
        self.body = body
        self.isCompressed = isCompressed
    }

    /// A reply that tells of an error.
    package static func error(_ domain: String, _ code: Int32, _ message: String) -> Self {
        var reply = Self(
            ["Error-Domain": domain, "Error-Code": String(code)], body: Array(message.utf8))
        reply.head.isError = true
        return reply
    }
}

/// What has happened, in the order in which it did.
package enum BLIPEvent: Sendable, Hashable {
    /// A message has begun, and its properties are there.
    case began(BLIPMessageID, BLIPMessageHead)
    /// More of its body.
    case body(BLIPMessageID, [UInt8])
    /// It is there whole.
    case ended(BLIPMessageID)
    /// It will not be there whole.
    case failed(BLIPMessageID, BLIPMessageFailure)
    /// Something that means nothing, for the log.
    case ignored(BLIPFrameHead)
}

/// Why a message failed, alone.
public enum BLIPMessageFailure: Error, Sendable, Hashable {
    /// Its properties are malformed, or not all there.
    case malformedProperties
    /// Its properties or its body are longer than allowed.
    case tooLong
    /// BLIP 1.1 and 2: its body is no gzip, or ends too early.
    case malformedBody
    /// Its sender began it and gave it up.
    case abandoned
    /// It would take this end past ``BLIPLimits/heldMax``.
    case noRoom
    /// The connection has ended before.
    case disconnected
}
