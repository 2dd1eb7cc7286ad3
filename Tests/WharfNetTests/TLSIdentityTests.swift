import Testing
@testable import WharfNet

@Suite struct `An identity` {
    @Test func `made here tells for whom and until when`() throws {
        let identity = try TLSIdentity.selfSigned(
            hosts: ["wharf.local", "::1", "fe80::1%1", "10.0.0.1"], days: 10, now: 1_800_000_000)
        let certificate = identity.certificate
        #expect(certificate.subject == "CN=wharf.local")
        #expect(certificate.issuer == certificate.subject)
        #expect(certificate.hosts == ["wharf.local", "::1", "fe80::1", "10.0.0.1"])
        #expect(certificate.notBefore == 1_800_000_000 - 86_400)
        #expect(certificate.notAfter == 1_800_000_000 + 864_000)
        #expect(identity.chain == [])
        #expect("\(identity)" == "CN=wharf.local (\(certificate.fingerprint))")
    }

    @Test func `is the same after it was written and read`() throws {
        let identity = TestIdentity.localhost
        let copy = try TLSIdentity(
            certificates: identity.certificatesInPEM, key: identity.keyInPEM)
        #expect(copy.certificate == identity.certificate)
        // In one file, in any order.
        let both = try identity.keyInPEM + identity.certificatesInPEM
        #expect(try TLSIdentity(certificates: both, key: both).certificate == identity.certificate)
    }

    @Test func `needs the certificate's own key`() throws {
        let (one, other) = (TestIdentity.localhost, TestIdentity.other)
        #expect(throws: TLSError.self) {
            try TLSIdentity(certificates: one.certificatesInPEM, key: other.keyInPEM)
        }
    }

    @Test(arguments: [
        "", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func `is not read from something else`(text: String) throws {
        let identity = TestIdentity.localhost
        let bytes = Array(text.utf8)
        let key = try identity.keyInPEM
        let certificates = try identity.certificatesInPEM
        for (certificates, key) in [(bytes, key), (certificates, bytes)] {
            do throws(TLSError) {
                _ = try TLSIdentity(certificates: certificates, key: key)
                Issue.record("it was read")
            } catch {
                #expect(error.kind == .badIdentity)
            }
        }
        #expect(throws: TLSError.self) { try TLSCertificate(bytes: bytes) }
        #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: bytes, password: "") }
    }

    @Test(arguments: [[], [""], ["a b"], ["ok", "a,DNS:b"], ["a\0b"]])
    func `is made for hosts only`(hosts: [String]) {
        #expect(throws: TLSError.self) { try TLSIdentity.selfSigned(hosts: hosts) }
    }

    @Test func `has fingerprints that can be read back`() throws {
        let print = TestIdentity.localhost.certificate.fingerprint
        #expect(TLSFingerprint("\(print)") == print)
        #expect(TLSFingerprint("\(print)".filter { $0 != ":" }.lowercased()) == print)
        for text in ["", "00", "\(print)0", "\(print)".replacing("A", with: "G") + "G"] {
            #expect(TLSFingerprint(text) == nil)
        }
    }

    @Test func `reads the same certificate from its bytes and from text`() throws {
        let certificate = TestIdentity.other.certificate
        #expect(try TLSCertificate(bytes: certificate.bytes) == certificate)
        #expect(
            try TLSCertificate.inPEM(TestIdentity.other.certificatesInPEM) == [certificate])
    }
}
