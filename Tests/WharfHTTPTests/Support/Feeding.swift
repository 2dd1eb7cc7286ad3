import WharfHTTP

/// What a parser made of an input.
enum Outcome<Value: Equatable & Sendable>: Equatable, Sendable {
    case complete(Value)
    case incomplete
    case refused(HTTPParseError)

    var status: Int? {
        if case .refused(let error) = self { error.status.code } else { nil }
    }

    var value: Value? {
        if case .complete(let value) = self { value } else { nil }
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Bytes of a text whose characters stand for one byte each.
func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func parseHead(
    _ input: [UInt8], limits: HTTPHeadLimits = HTTPHeadLimits()
) -> Outcome<HTTPRequestHead> {
    var parser = HTTPRequestParser(limits: limits)
    return feed(&parser, input[...])
}

func feed(
    _ parser: inout HTTPRequestParser, _ input: ArraySlice<UInt8>
) -> Outcome<HTTPRequestHead> {
    do throws(HTTPParseError) {
        return try parser.parse(input.span).map { .complete($0) } ?? .incomplete
    } catch {
        return .refused(error)
    }
}

/// Feeds the input in pieces that end at `cuts`, and stops at the first outcome.
func parseHead(_ input: [UInt8], cuts: [Int], limits: HTTPHeadLimits = HTTPHeadLimits())
    -> Outcome<HTTPRequestHead>
{
    var parser = HTTPRequestParser(limits: limits)
    for cut in cuts + [input.count] {
        let outcome = feed(&parser, input[..<cut])
        if outcome != .incomplete { return outcome }
    }
    return .incomplete
}

/// A head with the request line and Host around some field lines.
func request(_ lines: String..., method: String = "POST", version: String = "1.1") -> [UInt8] {
    latin1(
        "\(method) / HTTP/\(version)\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n")
}

/// The body that chunks stand for, its trailers, and how many bytes they took.
struct Body: Equatable, Sendable {
    var data: [UInt8] = []
    var trailers = HTTPFields()
    var consumed = 0
}

/// Decodes chunks that arrive in pieces which end at `cuts`.
func decodeChunks(_ input: [UInt8], cuts: [Int] = []) -> Outcome<Body> {
    var decoder = ChunkedDecoder()
    var body = Body()
    do throws(HTTPParseError) {
        for cut in cuts + [input.count] {
            while body.consumed < cut, !decoder.isFinished {
                let piece = input[body.consumed..<cut]
                let step = try decoder.decode(piece.span)
                // A decoder that takes nothing would hang its caller.
                guard step.consumed > 0 else { return .incomplete }
                body.data += piece[(piece.startIndex + step.data.lowerBound)...].prefix(
                    step.data.count)
                body.consumed += step.consumed
            }
        }
    } catch {
        return .refused(error)
    }
    body.trailers = decoder.trailers
    return decoder.isFinished ? .complete(body) : .incomplete
}

/// A small seeded generator (SplitMix64), so that every failure can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
