import WharfHTTP
import WharfNet

/// Reads the body of one answer; confined to the loop.
final class ResponseReader: @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop's thread only.

    let loop: EventLoop
    private let wire: WireExchange
    private var framing: BodyFraming
    private var decoder = ChunkedDecoder()
    private var isReading = false
    private var hasExpired = false
    /// Whether the body has been read to its end.
    private(set) var isComplete = false

    init(_ wire: WireExchange, _ framing: BodyFraming) {
        loop = wire.connection.loop
        self.wire = wire
        self.framing = framing
        if framing == .none || framing == .length(0) { isComplete = true }
    }

    /// What followed the last chunk.
    var trailers: HTTPFields { decoder.trailers }

    /// It can be used no more.
    func expire() { hasExpired = true }

    /// The next run of bytes; `nil` at the end.
    func next() async throws -> [UInt8]? {
        guard !hasExpired, !isReading else {
            throw HTTPClientError(.misuse, "an answer is read after its end, or by two tasks")
        }
        isReading = true
        defer { isReading = false }
        do {
            while !isComplete {
                if let bytes = try takeBuffered() { return bytes }
                if isComplete { return nil }
                if try await wire.receive() { continue }
                guard framing == .untilClose else {
                    throw HTTPClientError(.connectionLost, "the answer ended early")
                }
                isComplete = true
            }
            return nil
        } catch {
            throw HTTPClientError.wrap(error, while: "the answer was read")
        }
    }

    /// Reads on, as far as there is something already, so that the connection can be used again.
    ///
    /// `mayWait` reads up to 64 KiB that are still to come.
    func skip(mayWait: Bool) async {
        var count = 0
        while !isComplete, count < Self.skipMax {
            if !mayWait, wire.connection.stream.inputCount == 0 { return }
            // An error shows in that the body is not complete.
            guard let bytes = try? await next() else { return }
            count += bytes.count
        }
    }

    private static let skipMax = 64 * 1024

    private func takeBuffered() throws(HTTPParseError) -> [UInt8]? {
        let stream = wire.connection.stream
        guard stream.inputCount > 0 else { return nil }
        switch framing {
        case .none: return nil
        case .untilClose: return stream.takeInput()
        case .length(let remaining):
            let count = Int(min(remaining, Int64(stream.inputCount)))
            framing = .length(remaining - Int64(count))
            isComplete = remaining == Int64(count)
            return take(0..<count, consuming: count)
        case .chunked:
            let step = try stream.withInput { input throws(HTTPParseError) in
                try decoder.decode(input)
            }
            isComplete = decoder.isFinished
            let bytes = take(step.data, consuming: step.consumed)
            return bytes.isEmpty ? nil : bytes
        }
    }

    private func take(_ range: Range<Int>, consuming count: Int) -> [UInt8] {
        let stream = wire.connection.stream
        let bytes = stream.copyInput(range)
        stream.consume(count)
        return bytes
    }
}
