import WharfBLIP
import WharfBLIPEngine
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer

/// `wharf blip`.
struct BLIPCommand {
    let options: BLIPCommandOptions

    /// Bytes of standard input, or of a body, that are sent or printed in one piece.
    private static let pieceMax = 64 * 1024

    /// Does it, and answers the exit code.
    func run() async -> Int32 {
        do {
            switch options.task {
            case .call(let url, let profile): return try await call(url, profile)
            case .listen:
                try await listen()
                return 0
            }
        } catch {
            HTTPLog.errorWriter.write("wharf: \(Self.explain(error))")
            return 1
        }
    }

    private var blipOptions: BLIPOptions {
        var blip = BLIPOptions()
        blip.applicationProtocol = options.applicationProtocol
        return blip
    }

    // MARK: call

    private func call(_ url: String, _ profile: String) async throws -> Int32 {
        var configuration = HTTPClient.Configuration()
        if let user = options.user, let colon = user.firstIndex(of: ":") {
            configuration.credentials = ClientCredentials(
                userName: String(user[..<colon]),
                password: String(user[user.index(after: colon)...]))
        }
        let client = try BLIPClient(options: blipOptions, http: configuration)
        let message = self.message(profile)
        return try await client.withConnection(to: url) { connection in
            if options.wantsNoReply {
                try await connection.sendWithoutReply(message)
                return 0
            }
            return try await connection.withReply(to: message) { reply, body in
                try await show(reply, body)
            }
        }
    }

    private func message(_ profile: String) -> BLIPMessage {
        var properties: BLIPProperties = ["Profile": profile]
        for property in options.properties { properties[property.name] = property.value }
        var message: BLIPMessage
        if let body = options.body {
            message = BLIPMessage(properties, body: Array(body.utf8))
        } else {
            message = BLIPMessage(properties) { writer in
                while let piece = try StandardInput.read(countMax: Self.pieceMax) {
                    try await writer.write(piece)
                }
            }
        }
        message.isCompressed = options.isCompressed
        message.isUrgent = options.isUrgent
        return message
    }

    private func show(_ reply: BLIPReply, _ body: BLIPBody) async throws -> Int32 {
        let stream = reply.head.isError ? StandardStream.error : StandardStream.output
        if reply.head.isError {
            let domain = reply["Error-Domain"] ?? "BLIP"
            stream.write(
                "wharf: \(Self.escape(domain)) \(Self.escape(reply["Error-Code"] ?? "599")): ")
        }
        if options.printsProperties {
            for pair in reply.properties.pairs {
                stream.write("\(Self.escape(pair.name)): \(Self.escape(pair.value))\n")
            }
            stream.write("\n")
        }
        for try await piece in body { stream.write(piece[...]) }
        if reply.head.isError { stream.write("\n") }
        return reply.head.isError ? 3 : 0
    }

    // MARK: listen

    private func listen() async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.onOthers { request in
            StandardStream.output.write(Self.line(of: request))
            return BLIPMessage(request.properties, body: request.body)
        }
        if options.isFirst {
            let listener = try BLIPTCPListener([.loopback(port: options.port)], dispatcher)
            for address in listener.addresses {
                StandardStream.output.write("Listening at blip://\(address)\n")
            }
            return try await listener.run()
        }
        var configuration = BLIPListener.Configuration(port: options.port)
        configuration.paths = [options.path]
        configuration.options = blipOptions
        let listener = try BLIPListener(configuration, dispatcher)
        for address in listener.server.addresses {
            StandardStream.output.write("Listening at ws://\(address)\(options.path)\n")
        }
        try listener.server.runUntilTerminated()
    }

    private static func line(of request: BLIPRequest) -> String {
        let properties = request.properties.pairs.map { "\(escape($0.name))=\(escape($0.value))" }
        let flags = [
            request.head.isUrgent ? "urgent" : nil, request.head.wantsNoReply ? "no-reply" : nil,
        ].compactMap(\.self)
        return (["#\(request.number)"] + flags + properties + ["\(request.body.count) bytes"])
            .joined(separator: " ") + "\n"
    }

    // MARK: Texts of the other end

    /// A text without what a terminal would take for a command.
    private static func escape(_ text: String) -> String {
        String(
            text.unicodeScalars.flatMap { scalar -> [Character] in
                scalar.properties.generalCategory == .control ? ["?"] : [Character(scalar)]
            })
    }

    private static func explain(_ error: any Error) -> String {
        switch error {
        case let error as BLIPAddressError: "\(error.url) is no URL of ws:// or blip://HOST:PORT"
        case let error as BLIPConnectionError: "the connection: \(error.kind)"
        default: "\(error)"
        }
    }
}
