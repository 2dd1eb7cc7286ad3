// A server over TLS: `TLS [PORT [CERTIFICATES.pem KEY.pem]]`; without files it vouches for itself.
import Wharf

let arguments = Array(CommandLine.arguments.dropFirst())
let identity =
    arguments.count == 3
    ? try TLSIdentity(certificateFile: arguments[1], keyFile: arguments[2])
    : try TLSIdentity.selfSigned(hosts: TLSIdentity.hostsOfThisMachine)

let router = Router()
router.get("/") { request in
    .text("Hello over \(request.tls?.version.description ?? "nothing")!\n")
}

var configuration = HTTPServer.Configuration(port: arguments.first.flatMap { UInt16($0) } ?? 8443)
configuration.tls = TLSServerConfiguration(identity: identity)
// Who types http:// by mistake is sent to where it should have been.
configuration.redirectsPlainHTTP = true

let server = try HTTPServer(configuration, router: router)
print("Serving at https://\(server.addresses[0])/")
print("The certificate's SHA-256 is \(identity.certificate.fingerprint)")
try server.runUntilTerminated()
