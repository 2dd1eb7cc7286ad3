import WharfHTTP
import WharfNet

/// How a connection becomes a secured one, or is told that it should.
extension HTTPServerConnection {
    /// Shakes hands with the client.
    ///
    /// False: there will be no requests.
    @inline(never)
    func secure(_ tls: TLSServer) async -> Bool {
        do throws(TLSError) {
            identity.session = try await socket.secure(
                with: tls, until: state.loop.now &+ tls.handshakeTimeout)
            return true
        } catch {
            stream.putBack(socket.dropSecurity())
            guard error.kind != .plainHTTP else {
                await answerPlainRequest()
                return false
            }
            let isLoss = error.kind == .disconnected || error.kind == .timedOut
            server.log(isLoss ? .info : .notice, "\(identity.peer.address): not secured: \(error)")
            guard !isLoss else {
                socket.close()
                return false
            }
            state.tally.noteRefusal()
            // The alert that says why is to arrive.
            isClosing = true
            return false
        }
    }

    /// Says to who speaks plain HTTP where it should speak, and closes.
    private func answerPlainRequest() async {
        let refusal = HTTPParseError(.badRequest, "plain HTTP on a port for TLS")
        guard server.configuration.redirectsPlainHTTP else {
            return refuse(refusal, page: Self.plainPage)
        }
        // A head that is broken is answered as ever.
        guard await awaitHead(), case .head(let head) = readHead() else { return }
        guard let authority = head.request.authority, HostAndPort(authority) != nil,
            let path = head.request.path, path.hasPrefix("/")
        else {
            return refuse(refusal, page: Self.plainPage)
        }
        // What is no name of this server's is not repeated to a browser.
        let hosts = server.configuration.protection?.hosts
        guard hosts?.refusal(of: authority, from: identity.peer.address) == nil else {
            return refuse(
                HTTPParseError(
                    .misdirectedRequest,
                    "plain HTTP for another host (Protection, --host)"))
        }
        state.tally.noteRefusal()
        server.log(.info, "\(identity.peer.address): \(refusal.reason), sent to https")
        let page = Response.redirect(to: "https://\(authority)\(path)", .permanentRedirect)
        isClosing = true
        _ = appendWhole(page, isHead: false, version: head.version, isClosing: true)
    }

    private static let plainPage = Response.text(
        "400 Bad Request: this port speaks HTTPS, and this was plain HTTP. Use https:// instead.\n",
        status: .badRequest)
}
