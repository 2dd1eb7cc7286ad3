// Sends back what it is sent, over BLIP: `BLIPEcho [PORT]`, and `BLIPEcho ask TEXT [PORT]`.
import Wharf
import WharfBLIP

let arguments = Array(CommandLine.arguments.dropFirst())
let port = arguments.last.flatMap { UInt16($0) } ?? 8080
if arguments.count >= 2, arguments[0] == "ask" {
    var message = BLIPMessage(profile: "echo")
    message.setText(arguments[1])
    let question = message
    let reply = try await BLIPClient().withConnection(to: "ws://localhost:\(port)/") {
        connection in
        try await connection.send(question).checked()
    }
    print(reply.text ?? "")
} else {
    let dispatcher = BLIPDispatcher()
    dispatcher.on("echo") { request in
        BLIPMessage(request.properties, body: request.body)
    }
    let listener = try BLIPListener(.init(port: port), dispatcher)
    for address in listener.server.addresses { print("Listening at ws://\(address)/") }
    try listener.server.runUntilTerminated()
}
