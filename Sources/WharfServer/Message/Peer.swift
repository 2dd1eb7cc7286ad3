public import WharfNet

/// Who is at the other end of a connection.
public struct Peer: Sendable {
    /// The client's address.
    public let address: SocketAddress
    /// The address of the listener that the client came through.
    public let localAddress: SocketAddress
    /// A number for the connection, unlike that of any other of this server.
    public let connectionID: UInt64

    package init(address: SocketAddress, localAddress: SocketAddress, connectionID: UInt64) {
        self.address = address
        self.localAddress = localAddress
        self.connectionID = connectionID
    }
}
