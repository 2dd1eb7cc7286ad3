// A part that needs a login, and one that doesn't: `Login [PORT]`; user `ada`, password `lovelace`.
import Wharf

var users = UserList(realm: "Example")
try users.add("ada", password: "lovelace")
let authentication = Authentication([
    DigestAuthentication(users: users), BasicAuthentication(users: users),
])

let router = Router()
router.get("/") { _ in .html("<!doctype html><title>Open</title><a href=\"/private/\">Enter</a>") }
router.group("/private", authentication) { group in
    group.get("/") { request in .text("Hello, \(request.user?.name ?? "nobody")!\n") }
}

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
