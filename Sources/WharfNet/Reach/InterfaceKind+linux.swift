#if os(Linux)
    import Glibc

    extension NetworkInterface.Kind {
        /// What the kernel tells of an interface below `/sys/class/net`.
        static func ofInterface(_ name: String) -> NetworkInterface.Kind {
            let folder = "/sys/class/net/\(name)/"
            // ARPHRD_ numbers of linux/if_arp.h.
            let type = text(folder + "type").flatMap { Int($0) }
            let deviceType = text(folder + "uevent")?.split(separator: "\n")
                .first { $0.hasPrefix("DEVTYPE=") }?.dropFirst(8)
            switch deviceType {
            case "wlan": return .wifi
            case "wwan": return .cellular
            case "bridge", "vxlan": return .virtual
            case "bond", "vlan": return .ethernet
            case "wireguard": return .tunnel
            default: break
            }
            if exists(folder + "wireless") || exists(folder + "phy80211") { return .wifi }
            if exists(folder + "tun_flags") { return .tunnel }
            if exists(folder + "bridge") { return .virtual }
            switch type {
            case 1: return .ethernet
            case 772: return .loopback
            // ppp, none (tun and others), tunnel, tunnel6, sit, ipgre.
            case 512, 65534, 768, 769, 776, 778: return .tunnel
            // Mobile modems: rawip.
            case 519: return .cellular
            default: return .other
            }
        }

        private static func text(_ path: String) -> String? {
            // What can't be read is not known: the caller goes on without it.
            guard let bytes = try? WholeFile.read(path, byteCountMax: 64 * 1024) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }

        private static func exists(_ path: String) -> Bool {
            let answer = System.withoutLoop.status(
                AT_FDCWD, Array(path.utf8), followsLink: true)
            if case .success = answer { return true }
            return false
        }
    }
#endif
