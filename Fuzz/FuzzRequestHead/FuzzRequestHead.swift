import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzRequestHead_main")
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

/// The first byte says where the rest is cut; the outcome must be that of the whole.
func checkHead(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let message = input.dropFirst()
    let cut = message.startIndex + min(Int(first), message.count)
    let limits = HTTPHeadLimits(requestLineMax: 64, fieldMax: 64, fieldsMax: 256, fieldCountMax: 8)
    for limits in [HTTPHeadLimits(), limits] {
        let whole = outcome([message], limits)
        let halves = outcome([message[..<cut], message], limits)
        let growing = message.indices.prefix(300).map { message[..<$0] } + [message]
        precondition(whole == halves, "a cut changed the outcome")
        precondition(whole == outcome(growing, limits), "byte by byte changed the outcome")
    }
}

enum Outcome: Equatable {
    case complete(HTTPRequestHead)
    case incomplete
    case refused(HTTPParseError)
}

func outcome(_ inputs: [ArraySlice<UInt8>], _ limits: HTTPHeadLimits) -> Outcome {
    var parser = HTTPRequestParser(limits: limits)
    do throws(HTTPParseError) {
        for input in inputs {
            guard let head = try parser.parse(input.span) else { continue }
            check(head, of: input)
            return .complete(head)
        }
        return .incomplete
    } catch {
        return .refused(error)
    }
}

/// A head that passes must be the bytes that it was read from.
func check(_ head: HTTPRequestHead, of input: ArraySlice<UInt8>) {
    precondition(head.byteCount <= input.count, "a head is longer than its input")
    var output: [UInt8] = []
    HeadSerializer.appendFields(head.request.headerFields, to: &output)
    HeadSerializer.appendEnd(to: &output)
    var parser = HTTPResponseParser(requestMethod: .head)
    let response = Array("HTTP/1.1 200 OK\r\n".utf8) + output
    guard let again = try? parser.parse(response.span) else {
        preconditionFailure("fields that were read cannot be read again")
    }
    precondition(again.response.headerFields == head.request.headerFields, "fields changed")
}
