/// A service as it is announced in the local network, by DNS-SD over multicast DNS (RFC 6763).
public struct BonjourService: Sendable, Hashable {
    /// What people see; empty: the machine's name.
    ///
    /// At most 63 bytes. If another one in the network has the name already, a number is added.
    public var name: String
    /// What it is, such as `_http._tcp`.
    ///
    /// The part before `._tcp` has at most 15 letters, digits and hyphens after its `_`.
    public var type: String
    /// What clients may want to know before they connect, such as `path`.
    ///
    /// A key is ASCII without `=`; key and value have at most 254 bytes together, and all pairs at
    /// most 1300 (RFC 6763 §6.2).
    public var text: [String: String]

    /// Describes a service.
    public init(name: String = "", type: String = "_http._tcp", text: [String: String] = [:]) {
        self.name = name
        self.type = type
        self.text = text
    }

    /// What is wrong with it, in a sentence; `nil`: it can be announced.
    public var problem: String? {
        if name.utf8.count > 63 { return "the name is longer than 63 bytes" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "the name has a control character"
        }
        guard isTypeValid else { return "\(type) is no type such as _http._tcp" }
        for (key, value) in text {
            let isPlain = key.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
            if key.isEmpty || !isPlain { return "\(key) is no key" }
            if key.utf8.count + value.utf8.count > 254 { return "the value of \(key) is too long" }
        }
        return textRecord.count > 1300 ? "all values together are too long" : nil
    }

    private var isTypeValid: Bool {
        let labels = type.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels[1] == "_tcp" || labels[1] == "_udp",
            labels[0].first == "_"
        else { return false }
        // RFC 6335 §5.1.
        let name = labels[0].dropFirst()
        return (1...15).contains(name.utf8.count) && name.first != "-" && name.last != "-"
            && name.contains { $0.isLetter }
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// The TXT record's data: strings with their lengths, in an order that stays.
    ///
    /// RFC 6763 §6.1: without any pairs it is one empty string.
    var textRecord: [UInt8] {
        var bytes: [UInt8] = []
        // RFC 6763 §6.7: the version is read before the rest can be.
        let isFirst: (String) -> Bool = { $0 == "txtvers" }
        let keys = text.keys.sorted()
        for key in keys.filter(isFirst) + keys.filter({ !isFirst($0) }) {
            let pair = Array("\(key)=\(text[key] ?? "")".utf8).prefix(255)
            bytes.append(UInt8(pair.count))
            bytes.append(contentsOf: pair)
        }
        return bytes.isEmpty ? [0] : bytes
    }
}

/// Why a service could not be announced.
public struct BonjourError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number that dns_sd gave (`kDNSServiceErr_...`); `nil`: it was not asked.
    public let code: Int32?
    private let reason: String

    init(code: Int32) {
        self.code = code
        reason = Self.text(of: code)
    }

    init(_ reason: String) {
        code = nil
        self.reason = reason
    }

    /// What is wrong, in a sentence.
    public var description: String { code.map { "\(reason) (\($0))" } ?? reason }

    /// Nobody announces services on this machine, or the program may not ask.
    static let unavailableCodes: Set<Int32> = [-65537, -65563]

    private static func text(of code: Int32) -> String {
        switch code {
        // Avahi answers "unknown" to all that it can't do, above all when its daemon is not there.
        case -65537, -65563: "no mDNS daemon answers (is avahi-daemon running?)"
        case -65540: "dns_sd takes the name, the type or the TXT data for wrong"
        case -65548: "another service has the name"
        case -65555: "the system does not allow it"
        case -65570: "the user has not allowed the local network (see Info.plist)"
        default: "dns_sd failed"
        }
    }
}
