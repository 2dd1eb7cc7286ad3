import WharfNet

/// The port and the interface that clients of Bonjour are sent to.
struct BonjourPlace: Equatable {
    let port: UInt16
    /// The system's number; 0: all of them.
    let interface: UInt32

    /// `nil` when there is no TCP port.
    init?(
        _ addresses: [SocketAddress], machine: [InterfaceAddress] = NetworkInterfaces.addresses
    ) {
        let tcp = addresses.filter {
            if case .unix = $0 { return false }
            return true
        }
        // The port that others can reach is the one to tell.
        guard let first = tcp.first(where: { !$0.isLoopback }) ?? tcp.first else { return nil }
        port = first.port
        let same = tcp.filter { $0.isLoopback == first.isLoopback }
        let names = same.map { address in
            machine.first { $0.address == address.with(port: 0) }?.interface.name
        }
        // Where it can't be reached it would only be in the way.
        if let name = names.first, let name, names.allSatisfy({ $0 == name }) {
            interface = NetworkInterfaces.index(of: name) ?? 0
        } else {
            interface = 0
        }
    }
}
