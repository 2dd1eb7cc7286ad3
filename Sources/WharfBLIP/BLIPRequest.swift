public import WharfBLIPEngine
import WharfServer

/// A request of the other end.
public struct BLIPRequest: Sendable {
    /// Its properties and flags.
    public let head: BLIPMessageHead
    /// Its number: 1 is the first one of the connection.
    public let number: UInt64
    /// Its body; empty for a handler that gets it piece by piece.
    public internal(set) var body: [UInt8] = []
    /// Anything that the program keeps with it.
    public var userValue: (any Sendable)?
    /// Where it came from; requests may be sent back over it.
    public let connection: BLIPConnection
    let inbox: BLIPInbox

    /// Its properties.
    public var properties: BLIPProperties { head.properties }
    /// What is asked for, by the property `Profile`.
    public var profile: String? { head.properties.profile }

    /// The value of a property.
    public subscript(name: String) -> String? { head.properties[name] }

    /// The body as a text; `nil`: it is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }

    /// The body as a value that was sent as JSON.
    ///
    /// Throws `DecodingError`; uncaught that is answered ``BLIPError/badRequest``.
    public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONFormat.decode(type, from: body)
    }

    /// The same request, to be sent over another connection.
    public var forwarded: BLIPMessage {
        var message = BLIPMessage(head.properties, body: body)
        message.isUrgent = head.isUrgent
        message.userValue = userValue
        return message
    }

    /// The same request with a body that is sent on as it comes, and without having been held.
    public func forwarded(_ body: BLIPBody) -> BLIPMessage {
        var message = forwarded
        message.body = .stream { writer in
            for try await part in body { try await writer.write(part) }
        }
        return message
    }
}

/// The reply to a request.
public struct BLIPReply: Sendable {
    /// Its properties and flags.
    public let head: BLIPMessageHead
    /// Its body; empty where it is read piece by piece.
    public let body: [UInt8]
    /// What the program kept with the request.
    public internal(set) var userValue: (any Sendable)?

    /// Its properties.
    public var properties: BLIPProperties { head.properties }

    /// The value of a property.
    public subscript(name: String) -> String? { head.properties[name] }

    /// The body as a text; `nil`: it is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }

    /// The body as a value that was sent as JSON.
    ///
    /// Throws `DecodingError`.
    public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONFormat.decode(type, from: body)
    }

    /// What the reply tells of an error, if it does; its other properties are in it.
    public var error: BLIPError? {
        guard head.isError else { return nil }
        // 599 is what peers make of an error that says no code.
        let code = head.properties["Error-Code", as: Int32.self] ?? 0
        let domain = head.properties["Error-Domain"]
        let isStated = domain != nil && code != 0
        var error = BLIPError(
            domain: isStated ? domain ?? "BLIP" : "BLIP", code: isStated ? code : 599,
            message: String(decoding: body, as: UTF8.self))
        error.properties = head.properties
        error.properties["Error-Code"] = nil
        error.properties["Error-Domain"] = nil
        return error
    }

    /// The reply itself, or throws what it tells of an error.
    public func checked() throws -> Self {
        if let error { throw error }
        return self
    }

    /// The same reply, to answer a request that was sent on.
    public var forwarded: BLIPMessage {
        var message = BLIPMessage(head.properties, body: body)
        message.isError = head.isError
        return message
    }
}
