@testable import WharfServer

/// Looks at the events of a server one after the other.
///
/// One test at a time.
final class EventWatcher {
    private var iterator: AsyncStream<HTTPServer.Event>.AsyncIterator

    init(_ server: HTTPServer) { iterator = server.events().makeAsyncIterator() }

    /// The next event that the closure makes something of; `nil` at the end.
    func next<Value>(_ take: (HTTPServer.Event) -> Value?) async -> Value? {
        while let event = await iterator.next(isolation: #isolation) {
            if let value = take(event) { return value }
        }
        return nil
    }

    func nextBegan() async -> HTTPServer.RequestStart? {
        await next { if case .requestBegan(let start) = $0 { start } else { nil } }
    }

    func nextEnded() async -> HTTPServer.RequestSummary? {
        await next { if case .requestEnded(let summary) = $0 { summary } else { nil } }
    }

    func nextProgress() async -> HTTPServer.TransferProgress? {
        await next { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    func nextClosed() async -> HTTPServer.ConnectionSummary? {
        await next { if case .connectionClosed(let summary) = $0 { summary } else { nil } }
    }
}
