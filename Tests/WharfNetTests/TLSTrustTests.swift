import Testing
@testable import WharfNet

@Suite(.timeLimit(.minutes(1))) struct `A client's trust` {
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var host = "localhost"
        var trust = TLSClientConfiguration.Trust.certificates([TestIdentity.localhost.certificate])
        var configure: @Sendable (inout TLSClientConfiguration) -> Void = { _ in }
        let expected: TLSError.Kind?
    }

    private static let cases: [Case] = [
        Case(testDescription: "a certificate that is trusted", expected: nil),
        Case(testDescription: "an address", host: "127.0.0.1", expected: nil),
        Case(testDescription: "an IPv6 address", host: "::1", expected: nil),
        Case(testDescription: "a dot at the end", host: "localhost.", expected: nil),
        Case(testDescription: "the system's authorities", trust: .system, expected: .notTrusted),
        Case(
            testDescription: "somebody else's certificate",
            trust: .certificates([TestIdentity.other.certificate]), expected: .notTrusted),
        Case(testDescription: "another host", host: "example.test", expected: .wrongHost),
        Case(testDescription: "another address", host: "127.0.0.2", expected: .wrongHost),
        Case(
            testDescription: "another host, unchecked", host: "example.test",
            configure: { $0.checksHost = false }, expected: nil),
        Case(testDescription: "anything", host: "example.test", trust: .anything, expected: nil),
        Case(
            testDescription: "the right pin",
            configure: { $0.pins = [TestIdentity.localhost.certificate.keyFingerprint] },
            expected: nil),
        Case(
            testDescription: "another pin",
            configure: { $0.pins = [TestIdentity.other.certificate.keyFingerprint] },
            expected: .notPinned),
        Case(
            testDescription: "the fingerprint of the certificate is no pin",
            configure: { $0.pins = [TestIdentity.localhost.certificate.fingerprint] },
            expected: .notPinned),
        Case(
            testDescription: "the right pin and nothing else", trust: .anything,
            configure: { $0.pins = [TestIdentity.localhost.certificate.keyFingerprint] },
            expected: nil),
        Case(
            testDescription: "another pin and nothing else", trust: .anything,
            configure: { $0.pins = [TestIdentity.other.certificate.keyFingerprint] },
            expected: .notPinned),
        Case(
            testDescription: "a closure that agrees",
            host: "example.test",
            trust: .decided { chain, host in
                chain == [TestIdentity.localhost.certificate] && host == "example.test"
            }, expected: nil),
        Case(
            testDescription: "a closure that does not", trust: .decided { _, _ in false },
            expected: .notTrusted),
        Case(
            testDescription: "a closure that agrees, and another pin",
            trust: .decided { _, _ in true },
            configure: { $0.pins = [TestIdentity.other.certificate.keyFingerprint] },
            expected: .notPinned),
        Case(testDescription: "a host with a space", host: "local host", expected: .badSetting),
        Case(
            testDescription: "a protocol that the server lacks",
            configure: { $0.applicationProtocols = ["h2"] }, expected: .handshakeFailed),
        Case(
            testDescription: "no protocol", configure: { $0.applicationProtocols = [] },
            expected: nil),
    ]

    @Test(arguments: [TLSVersion.tls12, .tls13], cases)
    private func `decides`(version: TLSVersion, example: Case) async throws {
        try await TLSStage.run { stage in
            let client = try TLSClient.test(example.trust) {
                $0.versionMin = version
                example.configure(&$0)
            }
            let (server, socket) = try await stage.connect()
            async let serverEnd = TLSStage.end { () async throws(TLSError) in
                let ready: TLSServer
                do {
                    ready = try TLSServer.test()
                } catch {
                    throw TLSError(.badSetting)
                }
                return try await server.secure(
                    with: ready, until: stage.loop.now + TLSStage.patience)
            }
            let clientEnd = await TLSStage.end { () async throws(TLSError) in
                try await socket.secure(
                    with: client, host: example.host, until: stage.loop.now + TLSStage.patience)
            }
            socket.close()
            _ = await serverEnd
            server.close()
            switch clientEnd {
            case .success: #expect(example.expected == nil)
            case .failure(let error):
                #expect(error.kind == example.expected, "\(error)")
            }
        }
    }
}
