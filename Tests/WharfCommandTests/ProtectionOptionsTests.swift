import Testing
import WharfNet
import WharfServer

@testable import WharfCommand

@Suite struct `The options for protection` {
    private func options(_ arguments: String...) throws -> ServeOptions {
        try ServeOptions(try OptionScanner.scan(arguments, for: ServeOptions.names))
    }

    @Test func `are on, and nobody is let in, without being named`() throws {
        let options = try options()
        #expect(options.protection == ProtectionOptions())
        #expect(options.configuration.protection != nil)
        #expect(options.configuration.trustedProxies == nil)
        #expect(options.protection.cors(asksForLogin: true) == nil)
    }

    @Test func `may be given several times`() throws {
        let options = try options(
            "--host", "shelf.example.org", "--host=*.example.net", "--cors", "https://app.example",
            "--cors=http://localhost:3000", "--trust-proxy", "10.0.0.0/8", "--trust-proxy=unix")
        #expect(options.protection.hosts == ["shelf.example.org", "*.example.net"])
        #expect(options.protection.sites == ["https://app.example", "http://localhost:3000"])
        #expect(options.protection.proxies == [AddressRange("10.0.0.0/8"), .unix])
        #expect(options.configuration.trustedProxies != nil)
        #expect(options.protection.cors(asksForLogin: false) != nil)
    }

    @Test(arguments: [
        ("host", "a:80"), ("host", ""), ("host", "a b"), ("host", "http://a"), ("host", "*."),
        ("host", "a,b"), ("cors", "example.org"), ("cors", "https://a/"), ("cors", "null"),
        ("cors", ""), ("trust-proxy", "localhost"), ("trust-proxy", "10.0.0.0/33"),
    ])
    func `have to make sense`(_ name: String, _ value: String) {
        #expect(throws: UsageError.self) { try options("--\(name)=\(value)") }
    }
}
