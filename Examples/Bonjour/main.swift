// A server that is found in the local network: `Bonjour [PORT]`.
import Wharf

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
var configuration = HTTPServer.Configuration(addresses: [.any(port: port), .any6(port: port)])
// When the port is taken: the next ones, and then whichever is free.
configuration.otherPorts = Array(8081...8089) + [0]
configuration.bonjour = [BonjourService(name: "Greeter", text: ["path": "/"])]

let router = Router()
router.get("/") { request in .text("You have found me, \(request.clientAddress.host).\n") }

let server = try HTTPServer(configuration, router: router)
print("Serving at", server.endpoints.map(\.url).joined(separator: " "))

let events = server.events()
Task.detached {
    for await event in events {
        switch event {
        case .announced(let service): print("Announced as \"\(service.name)\"")
        case .announcingFailed(let service, let error): print("No \(service.type): \(error)")
        default: break
        }
    }
}
Task.detached {
    for await endpoints in server.endpointChanges().dropFirst() {
        for endpoint in endpoints {
            print("Now at \(endpoint), \(endpoint.interface?.kind.rawValue ?? "-")")
        }
    }
}
try server.runUntilTerminated()
