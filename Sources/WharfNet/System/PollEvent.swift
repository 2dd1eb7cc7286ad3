/// What the poller saw of one descriptor, since it was last told.
package struct PollEvent: Sendable, Equatable {
    /// The number given at registration.
    package var token: UInt64
    package var isReadable: Bool
    package var isWritable: Bool
    /// The peer will send nothing more (FIN).
    ///
    /// Reading still works, and writing may.
    package var peerHasFinished: Bool
    /// The connection is gone both ways (RST, or an error).
    package var isBroken: Bool

    package init(
        token: UInt64, isReadable: Bool = false, isWritable: Bool = false,
        peerHasFinished: Bool = false, isBroken: Bool = false
    ) {
        self.token = token
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.peerHasFinished = peerHasFinished
        self.isBroken = isBroken
    }
}
