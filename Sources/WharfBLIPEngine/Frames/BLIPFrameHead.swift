/// What stands before a frame's payload: the message's number and flags.
package struct BLIPFrameHead: Sendable, Hashable {
    package enum Kind: UInt64, Sendable, Hashable {
        case request = 0
        case response = 1
        case error = 2
        case acknowledgeRequest = 4
        case acknowledgeResponse = 5

        var isAcknowledgement: Bool { self == .acknowledgeRequest || self == .acknowledgeResponse }
    }

    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        // BLIP-Cocoa's document has other numbers, which can't be; these are in all code.
        package static let compressed = Self(rawValue: 0x08)
        package static let urgent = Self(rawValue: 0x10)
        package static let noReply = Self(rawValue: 0x20)
        package static let moreComing = Self(rawValue: 0x40)
        /// BLIP 1.1 and 2: about the connection, not for the program.
        package static let meta = Self(rawValue: 0x80)
    }

    package var number: UInt64
    /// The lowest three bits of the flags; `nil`: a kind that does not exist.
    package var kind: Kind?
    package var flags: Flags

    package init(_ kind: Kind, number: UInt64, flags: Flags = []) {
        self.kind = kind
        self.number = number
        self.flags = flags
    }

    /// Reads a head from the front; `nil`: it is not there whole.
    package static func read(_ frame: borrowing Span<UInt8>) -> (head: Self, byteCount: Int)? {
        guard let (number, numberCount) = Varint.read(frame),
            let (flags, flagsCount) = Varint.read(
                frame.extracting(numberCount..<frame.count))
        else { return nil }
        var head = Self(.request, number: number, flags: Flags(rawValue: flags & ~7))
        head.kind = Kind(rawValue: flags & 7)
        return (head, numberCount + flagsCount)
    }

    package func append(to output: inout [UInt8]) {
        Varint.append(number, to: &output)
        Varint.append(flags.rawValue | (kind?.rawValue ?? 7), to: &output)
    }
}
