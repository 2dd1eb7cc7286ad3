public import WharfHTTP

extension Response {
    /// Events for a browser's `EventSource`, as they happen.
    ///
    ///     router.get("/clock") { request in
    ///         .eventStream { events in
    ///             for await time in ticks { try await events.send("\(time)") }
    ///         }
    ///     }
    ///
    /// The head is sent at once. After a `heartbeat` without an event a comment is sent, so that
    /// nobody on the way takes the silence for the end; `nil` sends none. When the client leaves or
    /// the server is being stopped, the closure's task is cancelled: what it waits for throws, and
    /// the answer ends in good order. Browsers connect again, also after the closure has returned.
    public static func eventStream(
        heartbeat: Duration? = .seconds(15),
        _ send: @escaping @Sendable (EventStream) async throws -> Void
    ) -> Response {
        let source = StreamSource(heartbeat: heartbeat, isEndless: true) { writer in
            try await send(EventStream(writer: writer))
        }
        return Response(
            fields: [
                .cacheControl: "no-cache",
                // nginx, as a proxy, would hold events back until there are many.
                .xAccelBuffering: "no",
            ], contentType: "text/event-stream", body: ResponseBody(.stream(source)))
    }
}

/// Sends the events of ``Response/eventStream(heartbeat:_:)``.
///
/// It is valid while the closure that got it runs. A send returns when the event is on its way, and
/// throws `CancellationError` once the client has left. One task at a time may send.
public struct EventStream: Sendable {
    let writer: HTTPBodyWriter

    /// Sends an event.
    public func send(_ event: ServerSentEvent) async throws {
        var bytes: [UInt8] = []
        event.append(to: &bytes)
        try await write(bytes)
    }

    /// Sends an event that is a text.
    ///
    /// Throws ``ServerSentEventError`` if `event`, its type, or `id` has a line end or NUL in it.
    public func send(_ data: String, event: String? = nil, id: String? = nil) async throws {
        try await send(ServerSentEvent(data, event: event, id: id))
    }

    /// Sends lines that browsers skip.
    public func comment(_ text: String) async throws {
        var bytes: [UInt8] = []
        ServerSentEvent.appendComment(text, to: &bytes)
        try await write(bytes)
    }

    /// Waits between two events, without a thread of the pool.
    ///
    /// Throws `CancellationError` once the client has left or the server is being stopped.
    public func pause(for duration: Duration) async throws {
        try await writer.sink.pause(for: duration)
    }

    private func write(_ bytes: [UInt8]) async throws {
        // A loop that only sends ends here when nobody listens any more.
        try Task.checkCancellation()
        try await writer.write(bytes)
    }
}

extension Request {
    /// The ID of the last event that an `EventSource` got before it lost the connection.
    public var lastEventID: String? { fields[.lastEventID] }
}
