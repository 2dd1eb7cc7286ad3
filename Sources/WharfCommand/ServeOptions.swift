import WharfNet
import WharfServer

/// What `wharf serve` is asked to do.
struct ServeOptions: Equatable {
    /// Where to listen, without a port.
    enum Binding: Equatable {
        /// A numeric address; its port is not used.
        case address(SocketAddress)
        case unix(String)
    }

    var folder = "."
    var port: UInt16 = 8080
    /// The rest of a range.
    var otherPorts: [UInt16] = []
    var bindings: [Binding] = []
    var isForLAN = false
    var folderOptions = FolderOptions()
    var idleTimeout: Duration?
    var connectionMax: Int?
    var connectionsPerAddressMax: Int?
    var accessLog: AccessLog.Format?
    var recordingFolder: String?
    var logLevel = HTTPLog.Level.notice
    var login = LoginOptions()
    var protection = ProtectionOptions()
    var drive = DriveOptions()
    var reach = ReachOptions()
    var tls = TLSOptions()
    var isWritable = false
    var uploadMax: Int64?

    static let names =
        [
            OptionName("port", letter: "p", takesValue: true), OptionName("bind", takesValue: true),
            OptionName("lan"), OptionName("idle-timeout", takesValue: true),
            OptionName("max-connections", takesValue: true),
            OptionName("max-connections-per-address", takesValue: true),
            OptionName("access-log", isValueOptional: true),
            OptionName("record", takesValue: true), OptionName("log-level", takesValue: true),
            OptionName("writable"), OptionName("max-upload", takesValue: true),
        ] + FolderOptions.names + LoginOptions.names + ProtectionOptions.names
        + DriveOptions.names + ReachOptions.names + TLSOptions.names

    /// Makes sense of what stands behind `wharf serve`.
    init(_ scanned: OptionScanner.Result) throws(UsageError) {
        guard scanned.operands.count <= 1 else {
            throw UsageError("one folder can be served, not \(scanned.operands.count)")
        }
        folder = scanned.operands.first ?? folder
        for option in scanned.options {
            switch option.name {
            case "port": (port, otherPorts) = try option.ports()
            case "bind": bindings += try option.bindings()
            case "lan": isForLAN = true
            case "idle-timeout": idleTimeout = .seconds(try option.number(1...86_400) as Int)
            case "max-connections": connectionMax = try option.number(1...1_000_000)
            case "max-connections-per-address":
                connectionsPerAddressMax = try option.number(0...1_000_000)
            case "access-log": accessLog = try option.accessLogFormat()
            case "record": recordingFolder = option.value
            case "log-level": logLevel = try option.logLevel()
            case "writable": isWritable = true
            case "max-upload": uploadMax = try option.byteCount()
            default:
                if try login.take(option) { continue }
                if try folderOptions.take(option) { continue }
                if try drive.take(option) { continue }
                if try reach.take(option) { continue }
                if try tls.take(option) { continue }
                guard try protection.take(option) else {
                    throw UsageError("--\(option.name): not for serve")
                }
            }
        }
        try tls.check()
        try login.check()
        try drive.check(isWritable: isWritable, keepsIdentity: tls.isSelfSigned)
        guard isWritable || uploadMax == nil else {
            throw UsageError("--max-upload needs --writable")
        }
    }

    /// Where to listen: loopback, unless something else is asked for.
    var addresses: [SocketAddress] {
        var addresses: [SocketAddress] = bindings.map { binding in
            switch binding {
            case .address(let address): address.with(port: port)
            case .unix(let path): .unix(path: path)
            }
        }
        if isForLAN {
            addresses += [
                .ipv4(0, port: port), .ipv6(high: 0, low: 0, scope: 0, port: port),
            ]
        }
        return addresses.isEmpty ? [.loopback(port: port), .loopback6(port: port)] : addresses
    }

    /// Whether it was said where to listen.
    var isPlaceGiven: Bool { !bindings.isEmpty || isForLAN }

    /// The server's configuration.
    var configuration: HTTPServer.Configuration {
        var configuration = HTTPServer.Configuration(addresses: addresses)
        configuration.otherPorts = otherPorts
        reach.apply(to: &configuration, isDrive: drive.isServed, isSecure: tls.isOn)
        configuration.idleTimeout = idleTimeout ?? configuration.idleTimeout
        configuration.connectionMax = connectionMax ?? configuration.connectionMax
        configuration.connectionsPerAddressMax =
            connectionsPerAddressMax ?? configuration.connectionsPerAddressMax
        configuration.protection = protection.protection
        configuration.trustedProxies = protection.trustedProxies
        // For people, requests are logged as information among the rest.
        let isForPeople = accessLog == .plain
        configuration.log = .standardError(isForPeople ? min(logLevel, .info) : logLevel)
        if let accessLog, !isForPeople { configuration.accessLog = .standardError(accessLog) }
        return configuration
    }
}

extension OptionScanner.Option {
    fileprivate func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>)
        throws(UsageError) -> Number
    {
        guard let number = Number(value), range.contains(number) else {
            throw UsageError(
                "--\(name): \(value) is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A port, or the first and the others of a range: `8080-8089`.
    fileprivate func ports() throws(UsageError) -> (UInt16, [UInt16]) {
        let ends = value.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return (try number(0...65_535), []) }
        guard let first = UInt16(ends[0]), let last = UInt16(ends[1]), 0 < first, first <= last
        else { throw UsageError("--\(name): \(value) is no range of ports such as 8080-8089") }
        return (first, Array((first...last).dropFirst()))
    }

    fileprivate func bindings() throws(UsageError) -> [ServeOptions.Binding] {
        // RFC 6761 §6.3: it is this machine, whatever a name server says.
        if value == "localhost" {
            return [.address(.loopback(port: 0)), .address(.loopback6(port: 0))]
        }
        if value.hasPrefix("unix:") {
            let path = value.dropFirst(5)
            guard !path.isEmpty else { throw UsageError("--\(name): unix: needs a path") }
            return [.unix(String(path))]
        }
        if let address = SocketAddress(numeric: value, port: 0) { return [.address(address)] }
        let addresses = NetworkInterfaces.addresses(of: value, port: 0)
        guard addresses.isEmpty else { return addresses.map { .address($0) } }
        throw UsageError(
            NetworkInterfaces.exists(value)
                ? "--\(name): \(value) has no address"
                : "--\(name): \(value) is no numeric address or interface, nor localhost or unix:PATH"
        )
    }

    fileprivate func accessLogFormat() throws(UsageError) -> AccessLog.Format {
        if value.isEmpty { return .plain }
        guard let format = AccessLog.Format(rawValue: value) else {
            let formats = AccessLog.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--\(name): \(value) is none of \(formats)")
        }
        return format
    }

    fileprivate func logLevel() throws(UsageError) -> HTTPLog.Level {
        guard let level = HTTPLog.Level.allCases.first(where: { "\($0)" == value }) else {
            let levels = HTTPLog.Level.allCases.map { "\($0)" }.joined(separator: ", ")
            throw UsageError("--\(name): \(value) is none of \(levels)")
        }
        return level
    }
}
