/// Agreeing on permessage-deflate (RFC 7692 §5, §7.1).
package enum DeflateNegotiation {
    private static let name = "permessage-deflate"
    private static let serverKeepsNone = "server_no_context_takeover"
    private static let clientKeepsNone = "client_no_context_takeover"
    private static let serverBits = "server_max_window_bits"
    private static let clientBits = "client_max_window_bits"

    /// The four parameters, as they were sent.
    private struct Parameters {
        var serverKeepsNone = false
        var clientKeepsNone = false
        var serverBits: Int?
        /// Offered without a value, it says that the client can do with less.
        var hasClientBits = false
        var clientBits: Int?

        /// `nil`: one is unknown, there twice, or has a value that it can't have.
        init?(_ parameters: [WebSocketExtension.Parameter], isOffer: Bool) {
            var seen: Set<String> = []
            for parameter in parameters {
                guard seen.insert(parameter.name).inserted else { return nil }
                switch parameter.name {
                case DeflateNegotiation.serverKeepsNone where parameter.value == nil:
                    serverKeepsNone = true
                case DeflateNegotiation.clientKeepsNone where parameter.value == nil:
                    clientKeepsNone = true
                case DeflateNegotiation.serverBits:
                    guard let bits = Self.bits(parameter.value) else { return nil }
                    serverBits = bits
                case DeflateNegotiation.clientBits:
                    hasClientBits = true
                    if isOffer, parameter.value == nil { continue }
                    guard let bits = Self.bits(parameter.value) else { return nil }
                    clientBits = bits
                default: return nil
                }
            }
        }

        /// RFC 7692 §7.1.2: a number from 8 to 15 without leading zeros.
        private static func bits(_ value: String?) -> Int? {
            guard let value, let bits = Int(value), (8...15).contains(bits),
                String(bits) == value
            else { return nil }
            return bits
        }
    }

    // MARK: The server

    /// Takes the first offer that can be met: what was agreed on, and what to answer.
    package static func accept(
        _ offers: [WebSocketExtension], _ wish: WebSocketCompression
    ) -> (agreement: DeflateAgreement, answer: WebSocketExtension)? {
        for offer in offers where offer.name == name {
            guard let offered = Parameters(offer.parameters, isOffer: true) else { continue }
            return accept(offered, wish)
        }
        return nil
    }

    private static func accept(
        _ offered: Parameters, _ wish: WebSocketCompression
    ) -> (agreement: DeflateAgreement, answer: WebSocketExtension) {
        var agreement = DeflateAgreement()
        agreement.server.keepsContext = wish.keepsContext && !offered.serverKeepsNone
        agreement.client.keepsContext = wish.peerKeepsContext && !offered.clientKeepsNone
        agreement.server.windowBits = min(offered.serverBits ?? 15, clamped(wish.windowBits))
        if offered.hasClientBits {
            agreement.client.windowBits = min(
                offered.clientBits ?? 15, clamped(wish.peerWindowBits))
        }
        var answer: [WebSocketExtension.Parameter] = []
        if !agreement.server.keepsContext { answer.append(.init(serverKeepsNone)) }
        if !agreement.client.keepsContext { answer.append(.init(clientKeepsNone)) }
        if offered.serverBits != nil || agreement.server.windowBits < 15 {
            answer.append(.init(serverBits, String(agreement.server.windowBits)))
        }
        if offered.hasClientBits, offered.clientBits != nil || agreement.client.windowBits < 15 {
            answer.append(.init(clientBits, String(agreement.client.windowBits)))
        }
        return (agreement, WebSocketExtension(name, answer))
    }

    // MARK: The client

    /// What a client offers, what it likes best first.
    ///
    /// Some servers want no context of any client, and take no offer that does not say so: for them
    /// there is a second one (RFC 7692 §5.1). It comes last, as messages grow by it.
    package static func offers(_ wish: WebSocketCompression) -> [WebSocketExtension] {
        var modest = wish
        modest.keepsContext = false
        return wish.keepsContext ? [offer(wish), offer(modest)] : [offer(wish)]
    }

    private static func offer(_ wish: WebSocketCompression) -> WebSocketExtension {
        var parameters: [WebSocketExtension.Parameter] = []
        if !wish.peerKeepsContext { parameters.append(.init(serverKeepsNone)) }
        if !wish.keepsContext { parameters.append(.init(clientKeepsNone)) }
        if clamped(wish.peerWindowBits) < 15 {
            parameters.append(.init(serverBits, String(clamped(wish.peerWindowBits))))
        }
        let bits = clamped(wish.windowBits)
        parameters.append(.init(clientBits, bits < 15 ? String(bits) : nil))
        return WebSocketExtension(name, parameters)
    }

    /// What a server's answer to ``offers(_:)`` means.
    ///
    /// `nil` without an error: it does not compress.
    package static func settle(
        _ answer: [WebSocketExtension], _ wish: WebSocketCompression?
    ) throws(WebSocketHandshakeError) -> DeflateAgreement? {
        guard let only = answer.first else { return nil }
        // RFC 6455 §9.1: only what was asked for, and §7.1 of RFC 7692: once.
        guard let wish, answer.count == 1, only.name == name,
            let settled = Parameters(only.parameters, isOffer: false)
        else { throw .extensionNotOffered }
        // RFC 7692 §7.1.1.1, §7.1.2.1: what was asked for has to be granted.
        guard wish.peerKeepsContext || settled.serverKeepsNone,
            settled.serverBits ?? 15 <= clamped(wish.peerWindowBits),
            settled.clientBits ?? 0 <= clamped(wish.windowBits)
        else { throw .extensionNotOffered }
        var agreement = DeflateAgreement()
        agreement.server.keepsContext = !settled.serverKeepsNone
        agreement.client.keepsContext = wish.keepsContext && !settled.clientKeepsNone
        agreement.server.windowBits = settled.serverBits ?? 15
        agreement.client.windowBits = settled.clientBits ?? clamped(wish.windowBits)
        return agreement
    }

    private static func clamped(_ bits: Int) -> Int { min(max(bits, 9), 15) }
}
