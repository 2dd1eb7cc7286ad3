import WharfHTTP
import WharfNet

/// One request on its way to its answer, when that can't be had at once.
///
/// It is an object so that the suspended task holds a reference and no copies: what a task's
/// frames need at their largest stays with the connection while it is idle.
final class Exchange {
    let request: Request
    let body: RequestBody?
    /// `nil` when there is a response already.
    let route: Route?
    var response: Response?
    /// What was told last of how far it has got.
    var toldProgress: HTTPServer.TransferProgress?
    /// What is left to send of a response that was begun in place: all else of it is sent.
    let rest: FileSpan?
    /// The loop's time when the head was complete.
    let started: UInt64

    init(
        _ request: Request, _ body: RequestBody?, route: Route?, response: Response?,
        rest: FileSpan? = nil, started: UInt64
    ) {
        self.request = request
        self.body = body
        self.route = route
        self.response = response
        self.rest = rest
        self.started = started
    }

    /// Where the handler runs, and with it what a streamed body's closure does.
    var execution: Execution {
        if case .async(let execution, _)? = route?.action { execution } else { .loop }
    }
}
