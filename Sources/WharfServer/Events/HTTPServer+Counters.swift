extension HTTPServer {
    /// What a server has done since it was made.
    public struct Counters: Sendable, Hashable {
        /// Connections that are open.
        public var connectionCount = 0
        /// Connections that were accepted and kept, the open ones included.
        public var acceptedConnectionCount: UInt64 = 0
        /// Connections that were closed at once: too many of an address, or a hook said no.
        public var refusedConnectionCount: UInt64 = 0
        /// Requests whose heads were understood.
        public var requestCount: UInt64 = 0
        /// Heads that were none, were too long, or took too long.
        public var refusedRequestCount: UInt64 = 0
        /// Answers 1xx but for 100 (Continue): upgrades.
        public var informationalCount: UInt64 = 0
        /// Answers 2xx.
        public var successfulCount: UInt64 = 0
        /// Answers 3xx.
        public var redirectionCount: UInt64 = 0
        /// Answers 4xx, those to refused heads included.
        public var clientErrorCount: UInt64 = 0
        /// Answers 5xx.
        public var serverErrorCount: UInt64 = 0
        /// Bytes that were received; of a request under way they may be missing.
        public var receivedByteCount: UInt64 = 0
        /// Bytes that the kernel took to send; of an answer under way they may be missing.
        public var sentByteCount: UInt64 = 0
    }

    /// What it has done so far; it costs little, and can be asked from anywhere.
    public var counters: Counters {
        var counters = Counters()
        context.connections.add(to: &counters)
        for state in states { state.tally.add(to: &counters) }
        return counters
    }
}
