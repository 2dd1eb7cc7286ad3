// Files over BLIP, which are never in memory: `BLIPFiles DIR [PORT]`, and `BLIPFiles send FILE [PORT]`.
import Foundation
import Wharf
import WharfBLIP

let arguments = Array(CommandLine.arguments.dropFirst())
let port = arguments.last.flatMap { UInt16($0) } ?? 8080
if arguments.count >= 2, arguments[0] == "send" {
    let url = URL(filePath: arguments[1])
    let total = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let upload = BLIPMessage(["Profile": "put", "name": url.lastPathComponent]) { writer in
        let file = try FileHandle(forReadingFrom: url)
        while let part = try file.read(upToCount: 64 * 1024), !part.isEmpty {
            try await writer.write(Array(part))
        }
    }
    let reply = try await BLIPClient().withConnection(to: "ws://localhost:\(port)/") {
        connection in
        try await connection.send(upload) { progress in
            print("\(progress.sentCount) of \(total) bytes", terminator: "\r")
        }.checked()
    }
    print("\n\(reply["count"] ?? "") bytes are there.")
} else {
    let folder = URL(filePath: arguments.first ?? ".")
    let dispatcher = BLIPDispatcher()
    dispatcher.onStream("put") { request, body in
        // A name is a name, and no path out of the folder.
        let name = URL(filePath: "/" + (request["name"] ?? "")).lastPathComponent
        guard name != "/", name != ".." else { throw BLIPError.badRequest }
        let part = folder.appending(path: ".\(UUID())")
        try Data().write(to: part)
        defer { try? FileManager.default.removeItem(at: part) }
        let file = try FileHandle(forWritingTo: part)
        for try await bytes in body { try file.write(contentsOf: bytes) }
        // The loop ends without an error only if all has come.
        _ = try FileManager.default.replaceItemAt(folder.appending(path: name), withItemAt: part)
        return BLIPMessage(["count": "\(try file.offset())"])
    }
    let listener = try BLIPListener(.init(port: port), dispatcher)
    for address in listener.server.addresses { print("Listening at ws://\(address)/") }
    try listener.server.runUntilTerminated()
}
