import WharfHTTP
import WharfNet
import WharfServer

/// What `wharf serve` is told about the sites and proxies between it and its users.
struct ProtectionOptions: Equatable {
    /// `--host`: names by which it may be called, besides its own.
    var hosts: [String] = []
    /// `--cors`: origins whose pages may use it; `*`: pages of all may read.
    var sites: [String] = []
    /// `--trust-proxy`.
    var proxies: [AddressRange] = []

    static let names = [
        OptionName("host", takesValue: true), OptionName("cors", takesValue: true),
        OptionName("trust-proxy", takesValue: true),
    ]

    /// Takes an option: false if it is none of these.
    mutating func take(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "host": hosts.append(try option.hostName())
        case "cors": sites.append(try option.site())
        case "trust-proxy": proxies.append(try option.addressRange())
        default: return false
        }
        return true
    }

    // MARK: Putting it to work

    /// Pages of sites that are named may write too; those of all sites only read.
    var protection: Protection { Protection(hosts: hosts, origins: sites) }

    var trustedProxies: TrustedProxies? { proxies.isEmpty ? nil : TrustedProxies(proxies) }

    /// What lets pages of other sites in; `nil`: nothing does.
    ///
    /// A login that a browser remembers is for sites that are named.
    func cors(asksForLogin: Bool) -> CORS? {
        guard !sites.isEmpty else { return nil }
        var options = CORS.Options(sites: sites.contains("*") ? .any : .these(sites))
        options.allowsCredentials = asksForLogin
        return CORS(options)
    }
}

extension OptionScanner.Option {
    fileprivate func hostName() throws(UsageError) -> String {
        let name = value.hasPrefix("*.") ? String(value.dropFirst(2)) : value
        guard value == "*" || HostAndPort(name).map({ $0.port == nil }) ?? false else {
            throw UsageError("--host: \(value) is no host's name without a port")
        }
        return value
    }

    fileprivate func site() throws(UsageError) -> String {
        guard value == "*" || Origin(value) != nil else {
            throw UsageError("--cors: \(value) is no origin such as https://example.org, nor *")
        }
        return value
    }

    fileprivate func addressRange() throws(UsageError) -> AddressRange {
        guard let range = AddressRange(value) else {
            throw UsageError("--trust-proxy: \(value) is no network such as 10.0.0.0/8, nor unix")
        }
        return range
    }
}
