import WharfNet

/// What frames of BLIP go over.
///
/// It is used on its loop, by one task that receives and one that sends.
protocol BLIPTransport: AnyObject, Sendable {
    var loop: EventLoop { get }

    /// The next frame; `nil` when the other end has closed and all has come.
    ///
    /// Throws when the connection ended in another way, or what came is no frame.
    func receive() async throws -> [UInt8]?

    /// Sends the frames that a closure gives, until it gives none.
    ///
    /// It asks for no more while enough waits to be sent: what is urgent then gets its turn soon.
    func send(_ next: () throws -> [UInt8]?) async throws

    /// Tells the other end that this is the end, and waits for it to answer, for as long as that may
    /// take; what comes meanwhile is dropped.
    func close(_ code: UInt16, _ reason: String) async
}
