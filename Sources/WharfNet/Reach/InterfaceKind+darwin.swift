#if canImport(Darwin)
    extension NetworkInterface.Kind {
        /// What an interface's name says: the system keeps the rest to itself.
        ///
        /// `en0` is Wi-Fi on iOS; on macOS it may be either, and is told as Ethernet.
        static func ofInterface(_ name: String) -> NetworkInterface.Kind {
            switch name.prefix(while: { !$0.isNumber }) {
            case "pdp_ip": return .cellular
            case "utun", "ipsec", "ppp", "gif", "stf": return .tunnel
            case "bridge", "vmenet", "feth", "ap": return .virtual
            case "en":
                #if os(macOS)
                    return .ethernet
                #else
                    return name == "en0" ? .wifi : .ethernet
                #endif
            default: return .other
            }
        }
    }
#endif
