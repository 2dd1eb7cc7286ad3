import Foundation
import WharfHTTP

/// Judges requests as a connection would, without one: `conformance-server --judge`.
///
/// Standard input holds requests, each behind a line with its length. For each a line comes out:
/// `ok` for one that is whole, `wait` for one that is not, or the status and the reason of its
/// refusal. What follows the first message of a request is not looked at.
func judge() {
    var input = ArraySlice(FileHandle.standardInput.readDataToEndOfFile())
    var output = ""
    while let lineEnd = input.firstIndex(of: UInt8(ascii: "\n")),
        let count = Int(String(decoding: input[..<lineEnd], as: UTF8.self))
    {
        let request = input[(lineEnd + 1)...].prefix(count)
        output += verdict(of: request) + "\n"
        input = input[request.endIndex...]
    }
    FileHandle.standardOutput.write(Data(output.utf8))
}

private func verdict(of input: ArraySlice<UInt8>) -> String {
    do throws(HTTPParseError) {
        var parser = HTTPRequestParser()
        guard let head = try parser.parse(input.span) else { return "wait" }
        // RFC 9110 §9.1: what the server answers, whatever its routes are.
        guard head.request.method.isKnown else { return "501 unknown method" }
        let rest = input.dropFirst(head.byteCount)
        return try isWhole(rest, head.framing) ? "ok" : "wait"
    } catch {
        return "\(error.status.code) \(error.reason)"
    }
}

/// Whether the input begins with a whole body.
private func isWhole(
    _ input: ArraySlice<UInt8>, _ framing: BodyFraming
) throws(HTTPParseError) -> Bool {
    switch framing {
    case .none, .untilClose: return true
    case .length(let length): return Int64(input.count) >= length
    case .chunked:
        var decoder = ChunkedDecoder()
        var rest = input
        while !rest.isEmpty, !decoder.isFinished {
            rest = rest.dropFirst(try decoder.decode(rest.span).consumed)
        }
        return decoder.isFinished
    }
}
