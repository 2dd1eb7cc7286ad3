// Old addresses lead to new ones: `Redirect [PORT]`, then open /old.
import Wharf

let router = Router()
router.get("/new") { _ in .text("You are in the right place.\n") }
router.get("/new/{rest...}") { request in
    .text("You have found \(try request.parameters.require("rest")).\n")
}

// Browsers remember this one.
router.get("/old") { _ in .redirect(to: "/new", .permanentRedirect) }

// What comes out of a request can't lead to another site this way.
router.get("/old/{rest...}") { request in
    .redirect(toPath: "/new/" + (try request.parameters.require("rest")), .temporaryRedirect)
}

// A form that was sent is answered with a page that can be loaded again.
router.post("/order") { _ in .redirect(to: "/new") }

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
