// A chat between browsers and programs over BLIP: `BLIPChat [PORT]`, and `BLIPChat say NAME TEXT [PORT]`.
import Synchronization
import Wharf
import WharfBLIP

struct Line: Codable {
    var who: String
    var what: String
}

/// Those who are there, each with a queue of what was said.
let guests = Mutex<[UInt64: AsyncStream<Line>.Continuation]>([:])

let arguments = Array(CommandLine.arguments.dropFirst())
let port = arguments.last.flatMap { UInt16($0) } ?? 8080
if arguments.count >= 3, arguments[0] == "say" {
    var message = BLIPMessage(profile: "say")
    try message.setJSON(Line(who: arguments[1], what: arguments[2]))
    _ = try await BLIPClient().withConnection(to: "ws://localhost:\(port)/blip") { connection in
        try await connection.send(message).checked()
    }
} else {
    let dispatcher = BLIPDispatcher()
    dispatcher.on("say") { request in
        let line = try request.json(Line.self)
        print("\(line.who): \(line.what)")
        for guest in guests.withLock({ Array($0.values) }) { guest.yield(line) }
        return BLIPMessage()
    }
    let router = Router()
    router.mount(
        "/", try DirectoryHandler(folder: #filePath.dropLast("main.swift".count) + "Pages"))
    router.blip("/blip", dispatcher) { connection in
        let (lines, guest) = AsyncStream.makeStream(
            of: Line.self, bufferingPolicy: .bufferingNewest(100))
        let number = connection.peer?.connectionID ?? 0
        guests.withLock { $0[number] = guest }
        defer { guests.withLock { $0[number] = nil } }
        for await line in lines {
            var message = BLIPMessage(profile: "said")
            try message.setJSON(line)
            try await connection.sendWithoutReply(message)
        }
    }
    let server = try HTTPServer(.init(port: port), router: router)
    print("Serving at http://\(server.addresses[0])/")
    try server.runUntilTerminated()
}
