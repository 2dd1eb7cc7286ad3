#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension TLSIdentity {
    /// What the file with the kept identity is called.
    private static let keptName = "tls-self-signed.pem"
    private static let keptByteCountMax = 64 * 1024
    /// A certificate with less time left than this is renewed.
    private static let renewalSeconds: Int64 = 14 * 86_400

    /// An identity that vouches for itself as ``selfSigned(hosts:days:)`` makes it, and that is the
    /// same the next time.
    ///
    /// It is kept in a folder, which is made if there is none, in a file that only its owner may read.
    /// When the certificate is about to end, or lacks one of the hosts, a new one is made with the
    /// same key: whoever has pinned that goes on. Throws ``Errno`` when the folder can't be used,
    /// ``TLSError``.
    public static func selfSigned(
        keptIn folder: String, hosts: [String] = hostsOfThisMachine
    ) throws -> TLSIdentity {
        try kept(in: folder, hosts: hosts, now: System.withoutLoop.unixTime())
    }

    /// The same at another time, in seconds since 1970.
    static func kept(in folder: String, hosts: [String], now: Int64) throws -> TLSIdentity {
        let path = folder + "/" + keptName
        let old = try kept(at: path)
        if let old, old.certificate.notAfter > now + renewalSeconds,
            Set(hosts.map { $0.lowercased() }).isSubset(of: old.certificate.hosts)
        {
            return old
        }
        // Hosts that were served before may come again, such as the address of another network.
        var all = hosts
        for host in old?.certificate.hosts ?? [] where !all.contains(host) && all.count < 50 {
            all.append(host)
        }
        let identity = try TLSIdentity(
            TLSKeyPair(selfSignedFor: all, days: 397, now: now, key: old?.keyPair))
        try ProcessSettings.makeFolder(folder)
        try WholeFile.replace(path, identity.certificatesInPEM + identity.keyInPEM)
        return identity
    }

    /// What is kept in a file; `nil` if there is none.
    private static func kept(at path: String) throws(Errno) -> TLSIdentity? {
        let bytes: [UInt8]?
        do throws(Errno) {
            bytes = try WholeFile.read(path, byteCountMax: keptByteCountMax)
        } catch {
            guard error == .notFound else { throw error }
            return nil
        }
        guard let bytes else { return nil }
        // A file that is none of ours, or was cut, is as good as none.
        return try? TLSIdentity(certificates: bytes, key: bytes)
    }

    /// The names and addresses by which this machine can be reached on its networks.
    public static var hostsOfThisMachine: [String] {
        var hosts: [String] = []
        if let name = MachineName.current?.lowercased(),
            let label = name.split(separator: ".").first,
            name.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        {
            hosts += [name, String(label), "\(label).local"]
        }
        hosts += ["localhost", "127.0.0.1", "::1"]
        hosts += NetworkInterfaces.addresses.map(\.address.host)
        var unique: [String] = []
        for host in hosts where !unique.contains(host) { unique.append(host) }
        return unique
    }
}
