import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzChunked_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkChunks(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// The first byte says where the rest is cut; the outcome must be that of the whole.
func checkChunks(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let body = Array(input.dropFirst())
    let whole = outcome(body, cuts: [])
    let halves = outcome(body, cuts: [min(Int(first), body.count)])
    precondition(whole == halves, "a cut changed the outcome")
    precondition(whole == outcome(body, cuts: Array(body.indices)), "byte by byte did")
    guard case .complete(let data, let trailers, _) = whole else { return }
    // What was decoded, encoded again, must decode to the same.
    var wire: [UInt8] = []
    if !data.isEmpty {
        ChunkedEncoder.appendHead(count: data.count, to: &wire)
        wire += data + ChunkedEncoder.dataEnd
    }
    ChunkedEncoder.appendEnd(trailers: trailers, to: &wire)
    let again = outcome(wire, cuts: [])
    precondition(
        again == .complete(data: data, trailers: trailers, consumed: wire.count)
            // White space that was dropped comes back as one space: a limit may be passed now.
            || trailers.byteCount > 4000, "a body changed")
}

enum Outcome: Equatable {
    case complete(data: [UInt8], trailers: HTTPFields, consumed: Int)
    case incomplete
    case refused(HTTPParseError)
}

func outcome(_ input: [UInt8], cuts: [Int]) -> Outcome {
    var decoder = ChunkedDecoder()
    var data: [UInt8] = []
    var consumed = 0
    do throws(HTTPParseError) {
        for cut in cuts + [input.count] {
            while consumed < cut, !decoder.isFinished {
                let piece = input[consumed..<cut]
                let step = try decoder.decode(piece.span)
                precondition(step.consumed > 0, "nothing was consumed")
                precondition(step.data.upperBound <= step.consumed, "data was not consumed")
                data += piece.dropFirst(step.data.lowerBound).prefix(step.data.count)
                consumed += step.consumed
            }
        }
    } catch {
        return .refused(error)
    }
    guard decoder.isFinished else { return .incomplete }
    return .complete(data: data, trailers: decoder.trailers, consumed: consumed)
}
