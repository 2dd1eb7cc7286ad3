// Events for browsers, as they happen: `Events [PORT]`.
import Wharf

let page = """
    <!doctype html>
    <title>Ticks</title>
    <h1>Tick <output></output></h1>
    <script>
    new EventSource("/ticks").addEventListener("tick", event => {
        document.querySelector("output").textContent = event.data
    })
    </script>
    """

let router = Router()
router.get("/") { _ in .html(page) }
router.get("/ticks") { request in
    .eventStream { events in
        // A browser that lost the connection says where it was.
        var number = request.lastEventID.flatMap { Int($0) } ?? 0
        while true {
            number += 1
            try await events.send("\(number)", event: "tick", id: "\(number)")
            // It throws when the browser has gone, and so ends the loop.
            try await Task.sleep(for: .seconds(1))
        }
    }
}

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
