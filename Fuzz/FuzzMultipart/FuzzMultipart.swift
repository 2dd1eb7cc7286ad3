import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzMultipart_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkForm(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// The first two bytes say where the rest is cut; the outcome must be that of the whole.
func checkForm(_ input: [UInt8]) {
    guard input.count >= 2 else { return }
    let body = Array(input.dropFirst(2))
    let cuts = input.prefix(2).map { min(Int($0) * 4, body.count) }.sorted()
    let limits = MultipartLimits(
        partCountMax: 4, fieldMax: 80, fieldsMax: 120, fieldCountMax: 3, preambleMax: 16)
    for limits in [MultipartLimits(), limits] {
        let whole = outcome(body, cuts: [], limits)
        precondition(whole == outcome(body, cuts: cuts, limits), "a cut changed the outcome")
        precondition(whole == outcome(body, cuts: Array(body.indices), limits), "byte by byte did")
        guard whole.error == nil, let written = writing(whole.parts) else { continue }
        precondition(outcome(written, cuts: [], MultipartLimits()) == whole, "a form changed")
    }
}

struct Outcome: Equatable {
    struct Part: Equatable {
        var name: String
        var fileName: String?
        var data: [UInt8] = []
        var isComplete = false
    }

    var parts: [Part] = []
    var error: MultipartError?
}

/// The boundary of the seeds.
let boundary = MultipartBoundary("b")

func outcome(_ input: [UInt8], cuts: [Int], _ limits: MultipartLimits) -> Outcome {
    var result = Outcome()
    guard let boundary else { return result }
    var parser = MultipartParser(boundary: boundary, limits: limits)
    var start = 0
    do throws(MultipartError) {
        for cut in cuts + [input.count] {
            let piece = input[start..<cut]
            var position = 0
            while let event = try parser.next(in: piece.span, from: &position) {
                add(event, of: piece, to: &result)
            }
            precondition(position == piece.count, "something was left")
            start = cut
        }
        try parser.finish()
        precondition(result.parts.allSatisfy(\.isComplete), "a part has no end")
    } catch {
        result.error = error
    }
    return result
}

func add(_ event: MultipartParser.Event, of piece: ArraySlice<UInt8>, to result: inout Outcome) {
    let last = result.parts.count - 1
    switch event {
    case .part(let head):
        result.parts.append(Outcome.Part(name: head.name, fileName: head.fileName))
    case .data(let range):
        precondition(!range.isEmpty && range.upperBound <= piece.count, "data is elsewhere")
        result.parts[last].data += piece.dropFirst(range.lowerBound).prefix(range.count)
    case .heldData(let bytes):
        precondition(bytes.count <= boundary.map { $0.text.utf8.count + 69 } ?? 0, "too much held")
        result.parts[last].data += bytes
    case .partEnd: result.parts[last].isComplete = true
    case .finished: break
    }
}

/// A form as the serializer writes it, or nil if it has names that no form can tell.
func writing(_ parts: [Outcome.Part]) -> [UInt8]? {
    guard let boundary else { return nil }
    var serializer = MultipartSerializer(boundary: boundary)
    var result: [UInt8] = []
    for part in parts {
        for name in [part.name, part.fileName ?? ""] where !isTellable(name) { return nil }
        result += serializer.partHead(name: part.name, fileName: part.fileName) + part.data
    }
    result += serializer.end
    let dataByteCount = parts.reduce(0) { $0 + $1.data.count }
    precondition(result.count == serializer.byteCount + dataByteCount, "a wrong length")
    return result
}

func isTellable(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D }
    return isPlain && !name.utf8.contains(0x25) && name.utf8.last != 0x5C && name.utf8.count < 1000
}
