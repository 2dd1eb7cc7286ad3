import WharfBLIPEngine
import WharfNet

/// How handlers are called; off the loop, unless they want to be there.
extension BLIPLink {
    /// Calls handlers until the connection has ended.
    func dispatch(for connection: BLIPConnection) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while let calls = try await loop.confine({ [self] in try await nextCalls() }) {
                for call in calls {
                    group.addTask { [self] in await answer(call, connection) }
                }
            }
            group.cancelAll()
        }
    }

    private func answer(_ call: BLIPCall, _ connection: BLIPConnection) async {
        let number = call.inbox.id.number
        let message: BLIPMessage
        do {
            message = try await answer(to: call, connection)
        } catch {
            message = BLIPMessage(BLIPError.told(error))
        }
        let isWanted = try? await loop.confine { [self, message] in
            try await reply(to: number, message)
        }
        if isWanted == true, let write = message.writing { await stream(number, write) }
        // It throws nothing itself.
        try? await loop.confine { [self] in noteAnswered(call.inbox) }
    }

    private func answer(
        to call: BLIPCall, _ connection: BLIPConnection
    ) async throws -> BLIPMessage {
        var request = BLIPRequest(
            head: call.head, number: call.inbox.id.number, connection: connection,
            inbox: call.inbox)
        switch call.handler {
        case .nobody: throw BLIPError.notFound
        case .streamed(let handler):
            return try await handler(request, BLIPBody(inbox: call.inbox, link: self))
        case .whole(let handler):
            request.body = try await loop.confine { [self] in takeWhole(call.inbox) }
            return try await handler(request)
        case .bye:
            return try await answerBye(connection)
        }
    }

    private func stream(
        _ number: UInt64, _ write: @Sendable (BLIPBodyWriter) async throws -> Void
    ) async {
        var failure: BLIPError?
        do {
            try await write(BLIPBodyWriter(id: .reply(to: number), link: self))
        } catch {
            failure = BLIPError.told(error)
        }
        // It throws nothing itself.
        try? await loop.confine { [self, failure] in
            if let failure {
                giveUpReply(to: number, failure)
            } else {
                finishWriting(.reply(to: number))
            }
        }
    }
}
