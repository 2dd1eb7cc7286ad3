/// The router that leads to the internet.
enum DefaultGateway {
    /// Its IPv4 address; `nil` when there is none, or the system doesn't tell.
    static var current: SocketAddress? {
        #if os(Linux)
            // What can't be read tells of no router.
            guard let table = try? WholeFile.read("/proc/net/route", byteCountMax: 1 << 20) else {
                return nil
            }
            return gateway(inTable: String(decoding: table, as: UTF8.self))
        #else
            // Its routing table takes a call that can't be tried on the machines used here.
            return nil
        #endif
    }

    /// The best default route of Linux's `/proc/net/route`.
    static func gateway(inTable table: String) -> SocketAddress? {
        var best: (metric: Int, address: UInt32)?
        for line in table.split(separator: "\n").dropFirst() {
            // Iface Destination Gateway Flags RefCnt Use Metric Mask ...
            let columns = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
            guard columns.count >= 8, let destination = UInt32(columns[1], radix: 16),
                let gateway = UInt32(columns[2], radix: 16),
                let flags = UInt32(columns[3], radix: 16), let metric = Int(columns[6]),
                let mask = UInt32(columns[7], radix: 16)
            else { continue }
            // RTF_UP and RTF_GATEWAY.
            guard destination == 0, mask == 0, flags & 3 == 3, gateway != 0 else { continue }
            if best == nil || metric < best?.metric ?? .max { best = (metric, gateway) }
        }
        // The kernel prints the bytes of the network as a number of its own order.
        return best.map { .ipv4(UInt32(bigEndian: $0.address), port: NATPMPMessage.port) }
    }
}
