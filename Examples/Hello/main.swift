import Wharf

let server = try HTTPServer(port: 8080) { request in .text("Hello, world!\n") }
try await server.run()
