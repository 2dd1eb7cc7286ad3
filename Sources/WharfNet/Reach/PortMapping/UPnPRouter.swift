#if PortMapping
    import CMiniUPnPc

    /// A router that speaks UPnP, by libminiupnpc.
    final class UPnPRouter: PortMappingRouter {
        let method = PortMapping.Method.upnp
        private var router = cupnp_router()

        /// How long routers may take to answer who they are.
        private static let discoveryMilliseconds: Int32 = 2000
        /// Error codes of WANIPConnection.
        private static let conflict: Int32 = 718
        private static let onlyPermanent: Int32 = 725

        /// Looks for the router, which takes two seconds.
        ///
        /// Throws when none answers.
        init() throws(PortMappingError) {
            guard unsafe cupnp_find(&router, Self.discoveryMilliseconds) == 1 else {
                throw PortMappingError("no router answers to UPnP")
            }
        }

        func map(_ internalPort: UInt16, to externalPort: UInt16, seconds: UInt32)
            throws(PortMappingError) -> PortMapping
        {
            let bits = try address()
            var port = externalPort
            var code = add(port, internalPort, seconds)
            // Somebody else has it: a few above, and then that has to do.
            for step in 1...8 where code == Self.conflict {
                port = 1024 + (externalPort &- 1024 &+ UInt16(step) * 61) % 64_000
                code = add(port, internalPort, seconds)
            }
            var lifetime = seconds
            if code == Self.onlyPermanent {
                code = add(port, internalPort, 0)
                // It lasts until it is deleted; it is asked for again all the same.
                lifetime = 24 * 3600
            }
            guard code == 0 else { throw PortMappingError(Self.text(of: code)) }
            return PortMapping(
                externalAddress: .ipv4(bits, port: port), internalPort: internalPort,
                lifetime: .seconds(Int64(lifetime)), method: method)
        }

        func unmap(_ mapping: PortMapping) {
            _ = unsafe cupnp_unmap(&router, UInt32(mapping.externalAddress.port))
        }

        private func add(_ port: UInt16, _ internalPort: UInt16, _ seconds: UInt32) -> Int32 {
            unsafe cupnp_map(&router, UInt32(port), UInt32(internalPort), seconds)
        }

        private func address() throws(PortMappingError) -> UInt32 {
            var text = [CChar](repeating: 0, count: 64)
            let code = unsafe cupnp_address(&router, &text)
            let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            guard code == 0 else { throw PortMappingError(Self.text(of: code)) }
            guard
                case .ipv4(let bits, _)? = SocketAddress(
                    numeric: String(decoding: bytes, as: UTF8.self), port: 0)
            else { throw PortMappingError("the router doesn't tell its address") }
            return bits
        }

        private static func text(of code: Int32) -> String {
            let text = unsafe cupnp_error(code).map { unsafe String(cString: $0) }
            return "the router refuses (UPnP error \(code)\(text.map { ", \($0)" } ?? ""))"
        }
    }
#endif
