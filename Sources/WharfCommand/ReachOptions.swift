import WharfNet
import WharfServer

/// What `wharf serve` is told about how others find it.
struct ReachOptions: Equatable {
    /// `--bonjour`; empty: the machine's name.
    var bonjourName: String?
    /// `--nat`.
    var mapsPort = false

    static let names = [OptionName("bonjour", takesValue: true), OptionName("nat")]

    /// Takes an option: false if it is none of these.
    mutating func take(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "bonjour":
            if let problem = BonjourService(name: option.value).problem {
                throw UsageError("--bonjour: \(problem)")
            }
            bonjourName = option.value
        case "nat": mapsPort = true
        default: return false
        }
        return true
    }

    /// Has the server found; a drive is announced as one, for those that look for drives.
    func apply(
        to configuration: inout HTTPServer.Configuration, isDrive: Bool, isSecure: Bool = false
    ) {
        configuration.mapsPort = mapsPort
        guard let bonjourName else { return }
        let types =
            isSecure
            ? ["_https._tcp"] + (isDrive ? ["_webdavs._tcp"] : [])
            : ["_http._tcp"] + (isDrive ? ["_webdav._tcp"] : [])
        configuration.bonjour = types.map {
            BonjourService(name: bonjourName, type: $0, text: ["path": "/"])
        }
    }
}
