// What `--tls` adds: `--tls FILE[,FILE...]` speaks TLS as the identities in these files (PEM, key and
// certificates in one, or PKCS#12 with the password `secret`), `--client-ca FILE` asks clients for certificates of that authority, and
// with `--client-must` refuses those without.
import Wharf

/// How connections are secured; `nil` without `--tls`.
func tlsConfiguration() throws -> TLSServerConfiguration? {
    guard let identities = try tlsIdentities() else { return nil }
    var tls = TLSServerConfiguration(identities: identities)
    if let file = argument("--client-ca") {
        let roots = try TLSCertificate.inFile(file)
        let isDemanded = CommandLine.arguments.contains("--client-must")
        tls.clientCertificates = isDemanded ? .required(roots) : .asked(roots)
    }
    return tls
}

private func tlsIdentities() throws -> [TLSIdentity]? {
    try argument("--tls")?.split(separator: ",").map {
        $0.hasSuffix(".p12")
            ? try TLSIdentity(pkcs12File: String($0), password: "secret")
            : try TLSIdentity(certificateFile: String($0))
    }
}

/// `/tls` tells what was agreed on; `POST /tls/reload` reads the files again.
func addTLS(to router: Router) {
    router.get("/tls", on: .loop) { request in
        guard let session = request.tls else { return .text("none\n") }
        return .text(
            """
            version: \(session.version)
            cipher: \(session.cipher)
            protocol: \(session.applicationProtocol ?? "-")
            name: \(session.serverName ?? "-")
            resumed: \(session.isResumed)
            client: \(request.clientCertificate?.subject ?? "-")

            """)
    }
    router.post("/tls/reload") { _ in
        try server.reload(tlsIdentities() ?? [])
        return .text("reloaded\n")
    }
}
