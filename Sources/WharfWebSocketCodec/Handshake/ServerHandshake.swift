package import WharfHTTP

/// The server's side of the opening handshake (RFC 6455 §4.2).
package struct ServerHandshake: Sendable {
    /// The subprotocols that the server speaks, the one it likes best first.
    package var subprotocols: [String] = []
    /// Refuse a client that does not ask for one of them.
    package var requiresSubprotocol = false
    /// `nil`: messages are not compressed.
    package var compression: WebSocketCompression? = WebSocketCompression()

    package init() {}

    /// What was agreed on.
    package struct Agreement: Sendable, Hashable {
        /// Fields of the answer 101, without Upgrade and Connection.
        package let fields: HTTPFields
        package let subprotocol: String?
        package let deflate: DeflateAgreement?
    }

    /// Why a request does not become a WebSocket.
    package struct Refusal: Error, Sendable {
        package let status: HTTPResponse.Status
        package let reason: String
        package var fields: HTTPFields = [:]
    }

    /// Judges a request.
    ///
    /// `mayUpgrade` says that it is of HTTP/1.1 and asks for some upgrade.
    package func agree(
        _ request: HTTPRequest, mayUpgrade: Bool
    ) throws(Refusal) -> Agreement {
        guard request.method == .get else {
            throw Refusal(
                status: .methodNotAllowed, reason: "a WebSocket begins with GET",
                fields: [.allow: "GET"])
        }
        let fields = request.headerFields
        guard mayUpgrade, FieldList.elements(fields[.upgrade]?.lowercased()).contains("websocket")
        else {
            throw Self.upgradeRequired("the request asks for no WebSocket")
        }
        // RFC 6455 §4.4.
        guard fields[.secWebSocketVersion] == "13" else {
            throw Self.upgradeRequired("only version 13 is spoken here")
        }
        guard let key = fields[.secWebSocketKey], WebSocketKey.isValid(key) else {
            throw Refusal(status: .badRequest, reason: "no valid Sec-WebSocket-Key")
        }
        let subprotocol = try chooseSubprotocol(fields[.secWebSocketProtocol])
        return try agree(key, subprotocol, offers: fields[.secWebSocketExtensions])
    }

    private func agree(
        _ key: String, _ subprotocol: String?, offers: String?
    ) throws(Refusal) -> Agreement {
        guard let offers = WebSocketExtension.read(offers ?? "") else {
            throw Refusal(status: .badRequest, reason: "malformed Sec-WebSocket-Extensions")
        }
        var answer: HTTPFields = [.secWebSocketAccept: WebSocketKey.accept(key)]
        answer[.secWebSocketProtocol] = subprotocol
        var deflate: DeflateAgreement?
        if let compression, let agreed = DeflateNegotiation.accept(offers, compression) {
            deflate = agreed.agreement
            answer[.secWebSocketExtensions] = agreed.answer.description
        }
        return Agreement(fields: answer, subprotocol: subprotocol, deflate: deflate)
    }

    /// The subprotocol that the server likes best of those that the client speaks.
    private func chooseSubprotocol(_ value: String?) throws(Refusal) -> String? {
        let offered = FieldList.elements(value)
        guard offered.allSatisfy({ HTTPField.Name($0) != nil }) else {
            throw Refusal(status: .badRequest, reason: "malformed Sec-WebSocket-Protocol")
        }
        if let match = subprotocols.first(where: offered.contains) { return match }
        // A client that asked fails by itself when none is chosen; here it is told why.
        guard subprotocols.isEmpty || (offered.isEmpty && !requiresSubprotocol) else {
            let spoken = subprotocols.joined(separator: ", ")
            throw Refusal(
                status: .badRequest,
                reason: "none of the client's subprotocols (\(value ?? "none")) is of \(spoken)")
        }
        return nil
    }

    private static func upgradeRequired(_ reason: String) -> Refusal {
        Refusal(
            status: .upgradeRequired, reason: reason,
            fields: [.upgrade: "websocket", .secWebSocketVersion: "13"])
    }
}
