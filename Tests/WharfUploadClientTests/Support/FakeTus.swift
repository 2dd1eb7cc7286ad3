import WharfHTTP
import WharfNet
import WharfServer

/// A tus server with one upload in memory; it keeps whatever has come, however a request ends.
final class FakeTus: Sendable {
    struct State {
        var bytes: [UInt8] = []
        var length: Int64?
        var creationCount = 0
        var partCount = 0
        /// At so many bytes a part is taken no further until its task is cancelled; once.
        var stallAt: Int?
        /// What is answered to parts before they are taken, one after the other; `nil`: nothing.
        var answers: [Int?] = []
    }

    let state = Locked(State())
    /// Where the server says that the upload lies.
    let location: String
    /// What is added to the offsets that it tells.
    let lie: Int64

    init(location: String = "/up/1", lie: Int64 = 0) {
        self.location = location
        self.lie = lie
    }

    /// How many bytes have come.
    var count: Int { state.withLock { $0.bytes.count } }

    private func stall() async {
        let isDue = state.withLock { state -> Bool in
            guard let place = state.stallAt, state.bytes.count >= place else { return false }
            state.stallAt = nil
            return true
        }
        guard isDue else { return }
        let never = AsyncStream<Void>.makeStream()
        for await _ in never.stream {}
        never.continuation.finish()
    }

    func serve(_ router: Router) {
        let headers: HTTPFields = [.tusResumable: "1.0.0"]
        router.on(.options, "/up") { _ in
            Response(
                status: .noContent,
                fields: [.tusVersion: "1.0.0", .tusResumable: "1.0.0", .tusExtension: "creation"])
        }
        router.on(.post, "/up") { [self] request in
            state.withLock {
                $0.bytes = []
                $0.length = request.fields[.uploadLength].flatMap { Int64($0) }
                $0.creationCount += 1
            }
            var fields = headers
            fields[.location] = location
            return Response(status: .created, fields: fields)
        }
        router.on(.head, "/up/1") { [self] _ in
            guard state.withLock({ $0.length != nil }) else { throw HTTPError(.notFound) }
            var fields = headers
            fields[.uploadOffset] = "\(Int64(count) + lie)"
            return Response(status: .noContent, fields: fields)
        }
        router.on(.patch, "/up/1", bodyMax: 1 << 30) { [self] request in
            let refusal = state.withLock { state -> Int? in
                state.partCount += 1
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            if let refusal { throw HTTPError(.init(code: refusal)) }
            guard state.withLock({ $0.length != nil }) else { throw HTTPError(.notFound) }
            guard request.fields[.uploadOffset] == "\(count)" else {
                throw HTTPError(.conflict)
            }
            for try await piece in request.body {
                state.withLock { $0.bytes += piece }
                await stall()
            }
            var fields = headers
            fields[.uploadOffset] = "\(Int64(count) + lie)"
            return Response(status: .noContent, fields: fields)
        }
    }
}
