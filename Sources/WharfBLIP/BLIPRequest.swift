public import WharfBLIPEngine

/// A request of the other end, there whole.
public struct BLIPRequest: Sendable {
    /// Its properties and flags.
    public let head: BLIPMessageHead
    /// Its body.
    public let body: [UInt8]
    let number: UInt64

    /// What is asked for, by the property `Profile`.
    public var profile: String? { head.properties["Profile"] }
}

/// The reply to a request, there whole.
public struct BLIPReply: Sendable {
    /// Its properties and flags.
    public let head: BLIPMessageHead
    /// Its body.
    public let body: [UInt8]

    /// What the reply tells of an error, if it does.
    public var error: BLIPError? {
        guard head.isError else { return nil }
        // 599 is what peers make of an error that says no code.
        let code = head.properties["Error-Code"].flatMap { Int32($0) } ?? 0
        let domain = head.properties["Error-Domain"]
        let isStated = domain != nil && code != 0
        return BLIPError(
            domain: isStated ? domain ?? "BLIP" : "BLIP", code: isStated ? code : 599,
            message: String(decoding: body, as: UTF8.self))
    }
}
