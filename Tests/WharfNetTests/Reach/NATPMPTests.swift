import Testing

@testable import WharfNet

@Suite struct `NAT-PMP` {
    @Test func `asks for a port as RFC 6886 has it`() {
        let request = NATPMPMessage.mappingRequest(
            internalPort: 8080, externalPort: 80, seconds: 7200)
        #expect(request == [0, 2, 0, 0, 0x1F, 0x90, 0, 80, 0, 0, 0x1C, 0x20])
        let end = NATPMPMessage.mappingRequest(internalPort: 8080, externalPort: 0, seconds: 0)
        #expect(end == [0, 2, 0, 0, 0x1F, 0x90, 0, 0, 0, 0, 0, 0])
    }

    private static let address: [UInt8] = [0, 128, 0, 0, 0, 0, 0, 9, 203, 0, 113, 7]
    private static let mapping: [UInt8] =
        [0, 130, 0, 0, 0, 0, 0, 9, 0x1F, 0x90, 0x1F, 0x91, 0, 0, 0x1C, 0x20]

    @Test func `reads what a router answers`() {
        #expect(NATPMPMessage.answer(Self.address.span) == .address(0xCB00_7107))
        #expect(
            NATPMPMessage.answer(Self.mapping.span)
                == .mapping(internalPort: 8080, externalPort: 8081, seconds: 7200))
        for code: UInt8 in 1...6 {
            let refusal = [0, 130, 0, code, 0, 0, 0, 9]
            #expect(NATPMPMessage.answer(refusal.span) == .refusal(code: UInt16(code)))
        }
    }

    @Test func `takes nothing that is cut or something else for an answer`() {
        for message in [Self.address, Self.mapping] {
            for count in 0..<message.count {
                let cut = Array(message.prefix(count))
                #expect(NATPMPMessage.answer(cut.span) == nil)
            }
        }
        var other = Self.address
        other[0] = 2
        #expect(NATPMPMessage.answer(other.span) == nil)
        // A request, such as our own.
        let request = NATPMPMessage.mappingRequest(internalPort: 1, externalPort: 1, seconds: 1)
        #expect(NATPMPMessage.answer(request.span) == nil)
        other = Self.mapping
        other[1] = 129
        #expect(NATPMPMessage.answer(other.span) == nil)
    }

    @Test func `the default route with the lowest metric leads to the router`() {
        let table = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\tFE01A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            eth1\t00000000\t0201A8C0\t0002\t0\t0\t1\t00000000\t0\t0\t0
            eth0\t0001A8C0\t00000000\t0001\t0\t0\t1\t00FFFFFF\t0\t0\t0
            """
        #expect(
            DefaultGateway.gateway(inTable: table)
                == SocketAddress(numeric: "192.168.1.254", port: 5351))
        for broken in ["", "Iface\n", "a\nb c d\n", "h\neth0\tx\ty\tz\t0\t0\tm\tk\n"] {
            #expect(DefaultGateway.gateway(inTable: broken) == nil)
        }
    }

    @Test(arguments: [
        ("203.0.113.7", true), ("8.8.8.8", true), ("172.32.0.1", true), ("100.128.0.1", true),
        ("10.1.2.3", false), ("172.16.0.1", false), ("172.31.255.255", false),
        ("192.168.0.1", false), ("100.64.0.1", false), ("100.127.9.9", false),
        ("169.254.1.1", false), ("0.0.0.0", false), ("127.0.0.1", false),
    ])
    func `an address that is itself behind a NAT is told apart`(text: String, isPublic: Bool) throws
    {
        let mapping = PortMapping(
            externalAddress: try #require(SocketAddress(numeric: text, port: 80)),
            internalPort: 80, lifetime: .seconds(1), method: .natPMP)
        #expect(mapping.isPublic == isPublic)
    }
}
