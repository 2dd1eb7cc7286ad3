import Wharf
import WharfBLIP
import WharfBLIPEngine

/// Adds BLIP at `/blip`, and as `BLIP_3+Conformance` at `/blip-named`.
///
/// Echo sends the body back, Count says how long it was, Drain the same without having held it, Sip
/// does so at 20 MiB a second, Make makes one of `count` bytes, Fail an error of as many, Error fails,
/// and Slow takes its time.
func addBLIP(to router: Router) {
    let dispatcher = BLIPDispatcher()
    dispatcher.on("Echo") { BLIPMessage(body: $0.body) }
    dispatcher.on("Count") { request in
        BLIPMessage(["count": "\(request.body.count)"], body: Array("\(request.body.count)".utf8))
    }
    dispatcher.onStream("Drain") { _, body in
        var count = 0
        for try await part in body { count += part.count }
        return BLIPMessage(["count": "\(count)"])
    }
    dispatcher.onStream("Sip") { _, body in
        var (count, pauseAt) = (0, 1 << 20)
        for try await part in body {
            count += part.count
            guard count >= pauseAt else { continue }
            pauseAt += 1 << 20
            try await Task.sleep(for: .milliseconds(50))
        }
        return BLIPMessage(["count": "\(count)"])
    }
    dispatcher.on("Make") { request in
        BLIPMessage(body: bytes(request["count"]))
    }
    dispatcher.on("Fail") { request in
        var error = BLIPError(domain: "Conformance", code: 417)
        error.message = String(decoding: bytes(request["count"]), as: UTF8.self)
        throw error
    }
    dispatcher.on("Error") { _ in
        throw BLIPError(domain: "Conformance", code: 418, message: "as asked for")
    }
    dispatcher.on("Slow") { request in
        try await Task.sleep(for: .milliseconds(200))
        return BLIPMessage(body: request.body)
    }
    router.blip("/blip", dispatcher, on: .loop)
    var named = BLIPOptions()
    named.applicationProtocol = "Conformance"
    router.blip("/blip-named", dispatcher, options: named, on: .loop)
}

/// As many bytes as a property says, at most 64 MiB.
private func bytes(_ count: String?) -> [UInt8] {
    [UInt8](repeating: 120, count: min(max(count.flatMap { Int($0) } ?? 0, 0), 64 << 20))
}
