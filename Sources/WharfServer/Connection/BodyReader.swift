import WharfNet

/// The link from a handler's ``HTTPBody`` to its connection. It is cut when the exchange ends.
final class BodyReader: @unchecked Sendable {
    // @unchecked: `connection` is used on the loop only, which `confine` sees to.

    let length: Int64?
    private let state: LoopState
    private var connection: HTTPServerConnection?

    init(_ connection: HTTPServerConnection, length: Int64?) {
        self.connection = connection
        self.length = length
        state = connection.state
    }

    func next() async throws -> [UInt8]? {
        try await state.loop.confine { [self] in
            guard let connection else { throw HTTPExchangeError(.ended) }
            return try await connection.readBody()
        }
    }

    /// To be called on the loop.
    func expire() {
        connection = nil
    }
}
