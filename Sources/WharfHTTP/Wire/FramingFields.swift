/// The fields that decide about framing and connection, gathered from a section.
struct FramingFields {
    private struct Flags: OptionSet {
        let rawValue: UInt16

        static let transferEncoding = Flags(rawValue: 1)
        static let chunked = Flags(rawValue: 2)
        static let close = Flags(rawValue: 4)
        static let keepAlive = Flags(rawValue: 8)
        static let upgradeOption = Flags(rawValue: 16)
        static let upgradeField = Flags(rawValue: 32)
        static let awaitsContinue = Flags(rawValue: 64)
        static let unknownExpectation = Flags(rawValue: 128)
    }

    private var flags: Flags = []
    private(set) var contentLength: Int64?
    private(set) var host: Range<Int>?

    var hasTransferEncoding: Bool { flags.contains(.transferEncoding) }
    var isChunked: Bool { flags.contains(.chunked) }
    var hasClose: Bool { flags.contains(.close) }
    var hasKeepAlive: Bool { flags.contains(.keepAlive) }
    var hasUpgrade: Bool { flags.isSuperset(of: [.upgradeOption, .upgradeField]) }
    var hasContinue: Bool { flags.contains(.awaitsContinue) }
    var hasUnknownExpectation: Bool { flags.contains(.unknownExpectation) }

    init(
        _ input: borrowing Span<UInt8>, _ entries: borrowing [HTTPFields.Entry],
        isResponse: Bool = false
    ) throws(HTTPParseError) {
        for index in 0..<entries.count {
            let entry = entries[index]
            let name = entry.nameRange
            switch name.count {
            case 4 where !isResponse && input.matches(name, "host"):
                try addHost(input, entry.valueRange)
            case 6 where input.matches(name, "expect"): addExpectation(input, entry.valueRange)
            case 7 where input.matches(name, "upgrade"): flags.insert(.upgradeField)
            case 10 where input.matches(name, "connection"): addOptions(input, entry.valueRange)
            case 14 where input.matches(name, "content-length"):
                try addLength(input, entry.valueRange)
            case 17 where input.matches(name, "transfer-encoding"):
                try addCoding(input, entry.valueRange)
            default: break
            }
        }
    }

    private mutating func addHost(
        _ input: borrowing Span<UInt8>, _ range: Range<Int>
    ) throws(HTTPParseError) {
        // RFC 9112 §3.2: more than one Host line, or an invalid one, is answered with 400.
        guard host == nil else { throw .bad("more than one Host") }
        guard Authority.isValid(input, range) else { throw .bad("invalid Host") }
        host = range
    }

    private mutating func addExpectation(_ input: borrowing Span<UInt8>, _ range: Range<Int>) {
        // RFC 9110 §10.1.1: only this one is defined.
        if input.matches(range, "100-continue") {
            flags.insert(.awaitsContinue)
        } else {
            flags.insert(.unknownExpectation)
        }
    }

    private mutating func addOptions(_ input: borrowing Span<UInt8>, _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, input[end] != ASCII.comma { end += 1 }
            let option = input.trimmed(start..<end)
            if input.matches(option, "close") { flags.insert(.close) }
            if input.matches(option, "keep-alive") { flags.insert(.keepAlive) }
            if input.matches(option, "upgrade") { flags.insert(.upgradeOption) }
            start = end + 1
        }
    }

    private mutating func addLength(
        _ input: borrowing Span<UInt8>, _ range: Range<Int>
    ) throws(HTTPParseError) {
        // RFC 9112 §6.3: lengths that differ are an error, equal ones may be; we refuse both.
        guard contentLength == nil else { throw .bad("more than one Content-Length") }
        guard !range.isEmpty else { throw .bad("empty Content-Length") }
        var length: Int64 = 0
        for index in range {
            let byte = input[index]
            guard ASCII.isDigit(byte) else { throw .bad("Content-Length is not a number") }
            let (shifted, overflows) = length.multipliedReportingOverflow(by: 10)
            let (sum, carries) = shifted.addingReportingOverflow(Int64(byte &- ASCII.zero))
            guard !overflows, !carries else { throw .bad("Content-Length is beyond 63 bits") }
            length = sum
        }
        contentLength = length
    }

    private mutating func addCoding(
        _ input: borrowing Span<UInt8>, _ range: Range<Int>
    ) throws(HTTPParseError) {
        guard !hasTransferEncoding else { throw .bad("more than one Transfer-Encoding") }
        flags.insert(.transferEncoding)
        if input.matches(range, "chunked") {
            flags.insert(.chunked)
            return
        }
        // RFC 9112 §6.1: a coding that is not known is answered with 501, nonsense with 400.
        for index in range where !ASCII.isToken(input[index]) {
            throw .bad("Transfer-Encoding is not one coding")
        }
        guard !range.isEmpty else { throw .bad("empty Transfer-Encoding") }
        throw HTTPParseError(.notImplemented, "unknown transfer coding")
    }
}
