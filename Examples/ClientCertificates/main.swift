// A server that knows its clients by their certificates: `ClientCertificates [PORT [AUTHORITY.pem]]`.
import Wharf

let arguments = Array(CommandLine.arguments.dropFirst())
// Nobody is trusted until it is said whose signature counts.
let authorities = arguments.count > 1 ? try TLSCertificate.inFile(arguments[1]) : []

var tls = TLSServerConfiguration(identity: try .selfSigned(hosts: TLSIdentity.hostsOfThisMachine))
// Others are served too, and have no name; `.required` would turn them away in the handshake.
tls.clientCertificates = .asked(authorities)

let router = Router()
router.get("/") { request in
    guard let certificate = request.clientCertificate else {
        throw HTTPError(.forbidden, reason: "no certificate was shown")
    }
    return .text("Hello, \(certificate.subject)!\n")
}

var configuration = HTTPServer.Configuration(port: arguments.first.flatMap { UInt16($0) } ?? 8443)
configuration.tls = tls
let server = try HTTPServer(configuration, router: router)
print("Serving at https://\(server.addresses[0])/")
try server.runUntilTerminated()
