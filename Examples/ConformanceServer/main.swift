// The server that outside suites are run against: `conformance-server --port N [--root DIR]`.
// What each path answers is a contract: scripts rely on it. With `--judge` it serves nothing, and
// says of the requests on its standard input what the parser makes of them.
import Wharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What follows an option on the command line.
func argument(_ name: String) -> String? {
    let rest = CommandLine.arguments.drop { $0 != name }
    return rest.dropFirst().first
}

if CommandLine.arguments.contains("--judge") {
    judge()
    exit(0)
}
if let port = argument("--websocket-client").flatMap({ UInt16($0) }) {
    try await runWebSocketClient(port: port)
    exit(0)
}
guard let port = argument("--port").flatMap({ UInt16($0) }) else {
    print("usage: conformance-server --port N [--root DIR] [--routes N] [--max-connections N]")
    print("       [--tls PEM[,PEM...] [--client-ca PEM [--client-must]]]")
    print("       [--quiet] [--access-log FORMAT] | --judge | --websocket-client PORT")
    exit(2)
}

var configuration = HTTPServer.Configuration(port: port)
configuration.connectionsPerAddressMax = 0
// Suites and clients call it what they like.
configuration.protection = nil
if CommandLine.arguments.contains("--quiet") { configuration.log = .none }
if let format = argument("--access-log").flatMap({ AccessLog.Format(rawValue: $0) }) {
    configuration.accessLog = .standardError(format)
}
if let limit = argument("--max-connections").flatMap({ Int($0) }) {
    configuration.connectionMax = limit
}
configuration.tls = try tlsConfiguration()
let extraRouteCount = argument("--routes").flatMap { Int($0) } ?? 0
let router = conformanceRouter(extraRouteCount: extraRouteCount)
try addLogins(to: router)
addAnswers(to: router)
addTLS(to: router)
addForms(to: router, root: argument("--root"))
if let root = argument("--root") { router.mount("/files", try DirectoryHandler(folder: root)) }
let server = try HTTPServer(configuration, router: router)
let scheme = configuration.tls == nil ? "http" : "https"
for address in server.addresses { print("Serving at \(scheme)://\(address)/") }
fflush(nil)
try server.runUntilTerminated()
