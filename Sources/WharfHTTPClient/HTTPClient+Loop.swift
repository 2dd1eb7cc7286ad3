import WharfNet

/// What users of a client in this package borrow of its loop.
extension HTTPClient {
    /// Nanoseconds of the loop's clock, which only goes forward.
    package var now: UInt64 { loop.system.now() }

    /// Seconds since 1970.
    package var unixTime: Int64 { loop.system.unixTime() }

    /// Waits; throws when the task is cancelled.
    package func pause(for duration: Duration) async throws {
        try await loop.confine { [loop] in
            try await loop.sleep(until: loop.now &+ duration.nanoseconds)
        }
    }

    /// Runs work that blocks on a thread of the client's pool.
    ///
    /// Throws what the work throws.
    package func blocking<Value: Sendable>(_ work: @Sendable @escaping () throws -> Value)
        async throws -> Value
    {
        try await pool.run(work)
    }
}
