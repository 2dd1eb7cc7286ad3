import WharfHTTP
import WharfNet

/// Sends a comment whenever a stream of events has been silent for a while.
struct Heartbeat {
    private let call: TimedCall

    /// Starts; it has to be stopped before the stream ends.
    init(of link: BodyWriterLink, every interval: Duration) {
        let loop = link.state.loop
        // Not more often than the wheel turns.
        let interval = max(interval.nanoseconds, 5_000_000)
        var comment: [UInt8] = []
        ServerSentEvent.appendComment("", to: &comment)
        call = TimedCall(on: loop) { [comment] now in
            let due = link.lastWriteTime &+ interval
            guard now >= due else { return due }
            link.writeAtOnce(comment)
            return now &+ interval
        }
        call.start(by: loop.now &+ interval)
    }

    func stop() {
        call.stop()
    }
}
