package import WharfHTTP

/// The client's side of the opening handshake (RFC 6455 §4.1).
package struct ClientHandshake: Sendable {
    /// What is sent.
    package let request: HTTPRequest
    private let key: String
    private let subprotocols: [String]
    private let compression: WebSocketCompression?

    /// Prepares one; `fields` are sent as they are beside those of the handshake.
    package init(
        authority: String, path: String, subprotocols: [String] = [],
        compression: WebSocketCompression? = WebSocketCompression(), fields: HTTPFields = [:],
        randomBytes: (Int) -> [UInt8]
    ) {
        key = WebSocketKey.make(randomBytes: randomBytes)
        self.subprotocols = subprotocols
        self.compression = compression
        var all: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketKey: key,
            .secWebSocketVersion: "13",
        ]
        if !subprotocols.isEmpty {
            all[.secWebSocketProtocol] = subprotocols.joined(separator: ", ")
        }
        if let compression {
            all[.secWebSocketExtensions] = DeflateNegotiation.offers(compression)
                .map(\.description).joined(separator: ", ")
        }
        for field in fields { all.append(field) }
        request = HTTPRequest(
            method: .get, scheme: nil, authority: authority, path: path, headerFields: all)
    }

    /// What was agreed on.
    package struct Agreement: Sendable, Hashable {
        package let subprotocol: String?
        package let deflate: DeflateAgreement?
    }

    /// Judges the answer.
    package func agree(
        _ response: HTTPResponse
    ) throws(WebSocketHandshakeError) -> Agreement {
        guard response.status == .switchingProtocols else {
            throw WebSocketHandshakeError(.refused(status: response.status.code))
        }
        let fields = response.headerFields
        guard fields[.upgrade]?.lowercased() == "websocket",
            FieldList.elements(fields[.connection]?.lowercased()).contains("upgrade"),
            fields[.secWebSocketAccept] == WebSocketKey.accept(key)
        else { throw .notWebSocket }
        let subprotocol = fields[.secWebSocketProtocol]
        // RFC 6455 §4.1: only one that was asked for. Whoever asks needs one: without it neither
        // end would know what the other means.
        if let subprotocol {
            guard subprotocols.contains(subprotocol) else { throw .wrongSubprotocol }
        } else {
            guard subprotocols.isEmpty else { throw .wrongSubprotocol }
        }
        guard let answer = WebSocketExtension.read(fields[.secWebSocketExtensions] ?? "") else {
            throw .extensionNotOffered
        }
        return Agreement(
            subprotocol: subprotocol,
            deflate: try DeflateNegotiation.settle(answer, compression))
    }
}
