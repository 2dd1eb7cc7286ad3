/// The messages of RFC 6886 that map a TCP port: bytes to values and back.
enum NATPMPMessage {
    /// RFC 6886 §3: routers listen there.
    static let port: UInt16 = 5351

    /// What a router has answered.
    enum Answer: Equatable {
        /// Its address to the outside.
        case address(UInt32)
        /// A port for one of ours.
        case mapping(internalPort: UInt16, externalPort: UInt16, seconds: UInt32)
        /// It has refused, and why.
        case refusal(code: UInt16)
    }

    /// RFC 6886 §3.2: asks for the outside address.
    static let addressRequest: [UInt8] = [0, 0]

    /// RFC 6886 §3.3: asks for a mapping of a TCP port.
    ///
    /// §3.4: `seconds` 0, with `externalPort` 0, ends one.
    static func mappingRequest(
        internalPort: UInt16, externalPort: UInt16, seconds: UInt32
    ) -> [UInt8] {
        [0, 2, 0, 0] + bytes(internalPort) + bytes(externalPort)
            + bytes(UInt16(truncatingIfNeeded: seconds >> 16))
            + bytes(UInt16(truncatingIfNeeded: seconds))
    }

    /// Reads an answer; `nil` for what is none.
    static func answer(_ message: Span<UInt8>) -> Answer? {
        guard message.count >= 8, message[0] == 0 else { return nil }
        let code = number(message, at: 2)
        if code != 0 { return message[1] >= 128 ? .refusal(code: code) : nil }
        switch message[1] {
        case 128 where message.count >= 12:
            return .address(long(message, at: 8))
        case 130 where message.count >= 16:
            return .mapping(
                internalPort: number(message, at: 8), externalPort: number(message, at: 10),
                seconds: long(message, at: 12))
        default:
            return nil
        }
    }

    /// RFC 6886 §3.5.
    static func text(ofCode code: UInt16) -> String {
        switch code {
        case 1: "the router has another version of NAT-PMP"
        case 2: "the router refuses: port mapping is turned off there"
        case 3: "the router has no address itself yet"
        case 4: "the router has no room for another mapping"
        case 5: "the router doesn't know how to map a port"
        default: "the router refuses (NAT-PMP result \(code))"
        }
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    private static func number(_ message: Span<UInt8>, at index: Int) -> UInt16 {
        UInt16(message[index]) << 8 | UInt16(message[index + 1])
    }

    private static func long(_ message: Span<UInt8>, at index: Int) -> UInt32 {
        UInt32(number(message, at: index)) << 16 | UInt32(number(message, at: index + 2))
    }
}
