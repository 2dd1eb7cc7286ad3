public import WharfBLIPEngine
import WharfServer

/// A message to be sent: a request, or what a handler answers.
///
///     var message = BLIPMessage(profile: "greet")
///     try message.setJSON(Greeting(name: "Ada"))
///     let reply = try await connection.send(message)
public struct BLIPMessage: Sendable {
    /// What a message carries beside its properties.
    public enum Body: Sendable {
        /// Bytes that are there.
        case bytes([UInt8])
        /// Bytes that a closure writes while they are sent.
        ///
        /// An error that it throws fails the message: see ``BLIPConnection/send(_:progress:)``.
        case stream(@Sendable (BLIPBodyWriter) async throws -> Void)
    }

    /// The properties.
    public var properties: BLIPProperties
    /// The body.
    public var body: Body
    /// Whether the body is compressed on its way (BLIP 3: with the properties).
    public var isCompressed: Bool
    /// Whether it overtakes others; a reply does if its request did.
    public var isUrgent = false
    /// Anything that the program keeps with it; it is not sent.
    ///
    /// A request's is in its reply, too.
    public var userValue: (any Sendable)?
    /// Whether it tells of an error.
    var isError = false

    /// Makes a message.
    public init(
        _ properties: BLIPProperties = BLIPProperties(), body: [UInt8] = [],
        isCompressed: Bool = false
    ) {
        self.properties = properties
        self.body = .bytes(body)
        self.isCompressed = isCompressed
    }

    /// Makes a request of a profile.
    public init(profile: String, body: [UInt8] = [], isCompressed: Bool = false) {
        self.init(["Profile": profile], body: body, isCompressed: isCompressed)
    }

    /// Makes a message whose body is written while it is sent.
    public init(
        _ properties: BLIPProperties, isCompressed: Bool = false,
        writing write: @escaping @Sendable (BLIPBodyWriter) async throws -> Void
    ) {
        self.init(properties, isCompressed: isCompressed)
        body = .stream(write)
    }

    /// Makes a reply that tells of an error, with properties that say more of it.
    public init(_ error: BLIPError) {
        self.init(error.properties, body: Array(error.message.utf8))
        properties["Error-Domain"] = error.domain
        properties["Error-Code"] = String(error.code)
        isError = true
    }

    /// Makes the body a text: UTF-8, and the property `Content-Type` says so.
    public mutating func setText(_ text: String) {
        properties.contentType = "text/plain; charset=UTF-8"
        body = .bytes(Array(text.utf8))
    }

    /// Makes the body a value as JSON; `Content-Type` says so, and over 100 bytes it is compressed.
    ///
    /// Throws `EncodingError` for what JSON can't say.
    public mutating func setJSON(_ value: some Encodable) throws {
        let bytes = try JSONFormat.encode(value)
        properties.contentType = "application/json"
        isCompressed = isCompressed || bytes.count > 100
        body = .bytes(bytes)
    }

    /// The value of a property.
    public subscript(name: String) -> String? {
        get { properties[name] }
        set { properties[name] = newValue }
    }

    /// What the engine is told of it.
    func outgoing(wantsNoReply: Bool = false) -> BLIPOutgoing {
        var outgoing = BLIPOutgoing(properties, isCompressed: isCompressed)
        if case .bytes(let bytes) = body { outgoing.body = bytes }
        outgoing.head.isUrgent = isUrgent
        outgoing.head.wantsNoReply = wantsNoReply
        outgoing.head.isError = isError
        return outgoing
    }

    /// The closure that writes the body, if one does.
    var writing: (@Sendable (BLIPBodyWriter) async throws -> Void)? {
        if case .stream(let write) = body { write } else { nil }
    }
}
