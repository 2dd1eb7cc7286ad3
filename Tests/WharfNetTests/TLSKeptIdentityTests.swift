import TestSupport
import Testing

@testable import WharfNet

@Suite struct `A kept identity` {
    private static let now: Int64 = 1_800_000_000
    private static let day: Int64 = 86_400

    private func kept(_ folder: TemporaryFolder, _ hosts: [String], day: Int64 = 0) throws
        -> TLSIdentity
    {
        try TLSIdentity.kept(
            in: folder.path + "/a/b", hosts: hosts, now: Self.now + day * Self.day)
    }

    @Test func `is the same the next time`() throws {
        let folder = try TemporaryFolder()
        let first = try kept(folder, ["one.test", "10.0.0.1"])
        #expect(
            try kept(folder, ["10.0.0.1", "ONE.test"], day: 300).certificate == first.certificate)
    }

    @Test func `is renewed with the same key when it ends, or lacks a host`() throws {
        let folder = try TemporaryFolder()
        let first = try kept(folder, ["one.test"])
        let late = try kept(folder, ["one.test"], day: 390)
        let more = try kept(folder, ["two.test"], day: 390)
        #expect(late.certificate.fingerprint != first.certificate.fingerprint)
        #expect(late.certificate.keyFingerprint == first.certificate.keyFingerprint)
        #expect(more.certificate.keyFingerprint == first.certificate.keyFingerprint)
        #expect(more.certificate.hosts == ["two.test", "one.test"])
    }

    @Test func `is for its owner's eyes, and made anew when it is no identity`() throws {
        let folder = try TemporaryFolder()
        let first = try kept(folder, ["one.test"])
        let path = folder.path + "/a/b/tls-self-signed.pem"
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        let status = try root.open("a/b/tls-self-signed.pem", cachedOnly: false).get().status
        #expect(status.permissions & 0o777 == 0o600)
        try WholeFile.replace(path, Array("-----BEGIN garbage".utf8))
        #expect(try kept(folder, ["one.test"]).certificate != first.certificate)
    }

    @Test func `has the names and addresses of this machine`() throws {
        let hosts = TLSIdentity.hostsOfThisMachine
        #expect(Set(["localhost", "127.0.0.1", "::1"]).isSubset(of: hosts))
        #expect(try TLSIdentity.selfSigned(hosts: hosts).certificate.hosts.count == hosts.count)
    }
}
