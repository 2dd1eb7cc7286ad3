import WharfHTTP

/// How compressed bodies of requests are read.
public struct DecompressionPolicy: Sendable {
    /// How many times as large as it was sent a body may become, beyond its first MiB; a larger one
    /// is answered 413.
    ///
    /// Text becomes ten times as large, rarely a hundred times; a bomb a thousand times.
    public var ratioMax: Int64 = 100

    /// Reads gzip and deflate, up to the bounds of each body.
    public init() {}

    /// Becomes larger by whichever ratio.
    static let freeByteCount: Int64 = 1024 * 1024
}

/// Decompresses the body of a request, a piece at a time.
final class BodyDecoder {
    private var inflater: Inflater
    private let policy: DecompressionPolicy
    private let byteCountMax: Int64
    /// What was received, and how much of it is used.
    private var input: [UInt8] = []
    private var usedCount = 0
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0
    /// There may be more to come out of what went in.
    private(set) var hasMore = false

    /// A decoder of a body that may have so many bytes.
    init(_ coding: ContentCoding, _ policy: DecompressionPolicy, byteCountMax: Int64) throws {
        inflater = try Inflater(coding.format, totalMax: byteCountMax)
        self.policy = policy
        self.byteCountMax = byteCountMax
    }

    /// Takes a piece that was received.
    func feed(_ piece: [UInt8]) throws {
        guard !inflater.isFinished else { throw Self.surplus }
        input = piece
        usedCount = 0
        inputCount += Int64(piece.count)
        hasMore = true
    }

    /// Decompresses on, at most 32 KiB: empty when more has to be fed.
    func next() throws -> [UInt8] {
        var output: [UInt8] = []
        while hasMore, output.isEmpty {
            let step: CompressionStep
            do {
                step = try inflater.inflate(
                    input.span.extracting(usedCount..<input.count), to: &output)
            } catch CompressionError.tooLarge {
                throw HTTPBodyTooLarge(byteCountMax: byteCountMax)
            } catch {
                throw HTTPError(.badRequest, reason: "the body's compression: \(error.reason)")
            }
            usedCount += step.consumed
            hasMore = !step.isComplete
            if inflater.isFinished {
                guard usedCount == input.count else { throw Self.surplus }
                hasMore = false
            }
        }
        outputCount += Int64(output.count)
        try checkRatio()
        return output
    }

    /// Throws unless the end was reached: a body that was cut never looks whole.
    func finish() throws {
        guard inflater.isFinished else {
            throw HTTPError(.badRequest, reason: "the compressed body ended early")
        }
    }

    private func checkRatio() throws {
        let (bound, isBeyond) = inputCount.multipliedReportingOverflow(by: policy.ratioMax)
        guard isBeyond || outputCount <= max(bound, DecompressionPolicy.freeByteCount) else {
            throw HTTPError(
                .contentTooLarge,
                reason: "the body becomes more than \(policy.ratioMax) times as large")
        }
    }

    private static let surplus = HTTPError(
        .badRequest, reason: "bytes behind the end of the compressed body")
}
