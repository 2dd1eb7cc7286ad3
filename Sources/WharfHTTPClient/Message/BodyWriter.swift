import WharfNet

extension HTTPClient {
    /// Where a body is written that is made piece by piece.
    ///
    /// It is for the time of the closure that gets it, and for one task at a time.
    public struct BodyWriter: Sendable {
        let sender: BodySender

        /// Sends a piece, and waits until the system has taken it.
        ///
        /// Throws when the connection is gone, when the server has said that it wants no more, and
        /// when the body would become longer than was said.
        public func write(_ bytes: [UInt8]) async throws {
            try await sender.loop.confine { [sender] in try await sender.write(bytes) }
        }
    }
}
