import Wharf
import WharfBLIP
import WharfBLIPEngine

/// Adds BLIP at `/blip`: Echo sends the body back, Count says how long it was, Error fails, and Slow
/// takes its time.
func addBLIP(to router: Router) {
    let dispatcher = BLIPDispatcher()
    dispatcher.on("Echo") { BLIPOutgoing(body: $0.body) }
    dispatcher.on("Count") { request in
        BLIPOutgoing(["count": "\(request.body.count)"], body: Array("\(request.body.count)".utf8))
    }
    dispatcher.on("Error") { _ in
        throw BLIPError(domain: "Conformance", code: 418, message: "as asked for")
    }
    dispatcher.on("Slow") { request in
        try await Task.sleep(for: .milliseconds(200))
        return BLIPOutgoing(body: request.body)
    }
    var options = BLIPOptions()
    options.webSocket.origins = .any
    router.blip("/blip", dispatcher, options: options, on: .loop)
}
