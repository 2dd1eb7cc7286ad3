package import WharfNet

/// What protocols of this package build on, in place of an ``UpgradedStream``'s own calls.
package struct UpgradedTransport {
    /// The connection's queues, to be used on its loop and until the upgrade's closure returns.
    package let stream: ByteStream
    /// Whether the server is being stopped; a wait for input is nudged when that begins.
    package let isStopping: () -> Bool
    fileprivate let server: ServerContext

    /// Lets a closure of the handler's run in its place.
    package func run(
        on execution: Execution, _ operation: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await server.goOn(on: execution, operation)
    }
}

extension UpgradedStream {
    /// The transport under the stream; whoever takes it uses nothing else of the stream.
    package var transport: UpgradedTransport {
        get throws {
            guard let connection = link.connection else { throw HTTPExchangeError(.ended) }
            let state = link.state
            return UpgradedTransport(
                stream: connection.stream, isStopping: { state.isDraining },
                server: connection.server)
        }
    }
}
