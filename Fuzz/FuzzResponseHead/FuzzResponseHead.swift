import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzResponseHead_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkHead(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// The first byte says where the rest is cut, the second what was asked; the outcome must be that
/// of the whole.
func checkHead(_ input: [UInt8]) {
    guard input.count >= 2 else { return }
    let message = input.dropFirst(2)
    let cut = message.startIndex + min(Int(input[0]), message.count)
    let method = [HTTPRequest.Method.get, .head, .connect][Int(input[1]) % 3]
    let narrow = HTTPHeadLimits(requestLineMax: 64, fieldMax: 64, fieldsMax: 256, fieldCountMax: 8)
    for limits in [HTTPHeadLimits(), narrow] {
        let whole = outcome([message], method, limits)
        let halves = outcome([message[..<cut], message], method, limits)
        let growing = message.indices.prefix(300).map { message[..<$0] } + [message]
        precondition(whole == halves, "a cut changed the outcome")
        precondition(
            whole == outcome(growing, method, limits), "byte by byte changed the outcome")
    }
}

enum Outcome: Equatable {
    case complete(HTTPResponseHead)
    case incomplete
    case refused(HTTPParseError)
}

func outcome(
    _ inputs: [ArraySlice<UInt8>], _ method: HTTPRequest.Method, _ limits: HTTPHeadLimits
) -> Outcome {
    var parser = HTTPResponseParser(requestMethod: method, limits: limits)
    do throws(HTTPParseError) {
        for input in inputs {
            guard let head = try parser.parse(input.span) else { continue }
            check(head, of: input, method)
            return .complete(head)
        }
        return .incomplete
    } catch {
        return .refused(error)
    }
}

/// A head that passes is within its input, and written again it is read as the same.
func check(_ head: HTTPResponseHead, of input: ArraySlice<UInt8>, _ method: HTTPRequest.Method) {
    precondition(head.byteCount <= input.count, "a head is longer than its input")
    precondition(method != .head || head.framing == .none, "an answer to HEAD has a body")
    var output = Array("HTTP/1.1 \(head.response.status.code) \r\n".utf8)
    HeadSerializer.appendFields(head.response.headerFields, to: &output)
    HeadSerializer.appendEnd(to: &output)
    // A 1.0 head may hold what a 1.1 head may not, and the other way round.
    guard head.version == .http11 else { return }
    var parser = HTTPResponseParser(requestMethod: method)
    guard let again = try? parser.parse(output.span) else {
        preconditionFailure("a head that was read cannot be read again")
    }
    precondition(again.response.headerFields == head.response.headerFields, "fields changed")
    precondition(again.framing == head.framing, "the body's end moved")
}
