// The server that outside suites are run against: `conformance-server --port N`.
// What each path answers is a contract: scripts rely on it.
import Wharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

let port = CommandLine.arguments.firstIndex(of: "--port").flatMap { index in
    CommandLine.arguments.dropFirst(index + 1).first.flatMap { UInt16($0) }
}
guard let port else {
    print("usage: conformance-server --port N")
    exit(2)
}

var configuration = HTTPServer.Configuration(port: port)
configuration.connectionsPerAddressMax = 0
if CommandLine.arguments.contains("--quiet") { configuration.log = .none }
let server = try HTTPServer(configuration, router: conformanceRouter())
for address in server.addresses { print("Serving at http://\(address)/") }
fflush(nil)
try server.runUntilTerminated()
