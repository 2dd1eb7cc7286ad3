public import WharfHTTP
import WharfNet
import WharfServer

extension TestClient {
    /// Sends the bytes of a whole request, which may be wrong, and returns what comes.
    ///
    /// `method` is the one that the bytes name: the answer to HEAD has no body.
    public func send(_ request: [UInt8], method: HTTPRequest.Method) async throws -> TestResponse {
        switch transport {
        case .socket(let connector):
            return try await connector.exchange([request], method: method).response
        case .memory(let server):
            let peer = Peer(
                address: clientAddress, localAddress: .loopback(port: 80), connectionID: 1)
            let answer: MemoryServer.Answer
            do throws(HTTPParseError) {
                let head = try Self.parse(request)
                let body = Self.body(head, Array(request.dropFirst(head.byteCount)))
                answer = await server.answer(head, body: body, from: peer)
            } catch {
                answer = await server.answer(error)
            }
            return TestResponse(
                status: answer.status, fields: answer.fields, body: answer.body,
                isComplete: answer.isComplete)
        }
    }

    /// The body that follows a head; one that is broken fails where it breaks.
    private static func body(_ head: HTTPRequestHead, _ bytes: [UInt8]) -> MemoryBody? {
        let failure = HTTPError(.badRequest, reason: "the body ended early")
        switch head.framing {
        case .none, .untilClose, .length(0):
            return nil
        case .length(let length):
            let all = Array(bytes.prefix(Int(clamping: length)))
            return MemoryBody(
                [all], length: length, failure: all.count < Int(clamping: length) ? failure : nil)
        case .chunked:
            var decoder = ChunkedDecoder()
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            do throws(HTTPParseError) {
                while !rest.isEmpty, !decoder.isFinished {
                    let step = try decoder.decode(rest.span)
                    guard step.consumed > 0 else { break }
                    let start = rest.startIndex + step.data.lowerBound
                    pieces.append(Array(rest[start...].prefix(step.data.count)))
                    rest = rest.dropFirst(step.consumed)
                }
            } catch {
                return MemoryBody(pieces, length: nil, failure: error)
            }
            return MemoryBody(pieces, length: nil, failure: decoder.isFinished ? nil : failure)
        }
    }
}
