import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzRange_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// The first eight bytes are the length of the representation, the rest the field.
///
/// The parts lie inside, in order, apart from each other, and are few; written again as a field
/// they are read as the same.
func check(_ input: [UInt8]) {
    guard input.count >= 8 else { return }
    let bits = input.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let length = Int64(bits & UInt64(Int64.max))
    let text = String(decoding: input.dropFirst(8), as: UTF8.self)
    guard case .ranges(let ranges) = RangeRequest(parsing: text, length: length) else { return }
    precondition(!ranges.isEmpty && ranges.count <= RangeRequest.rangeCountMax)
    var end: Int64 = -1
    for range in ranges {
        precondition(!range.isEmpty && range.lowerBound > end && range.upperBound <= length)
        precondition(range.lowerBound == 0 || end < range.lowerBound)
        end = range.upperBound
        precondition(RangeRequest.contentRange(range, length: length).hasPrefix("bytes "))
    }
    let again =
        "bytes=" + ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
    precondition(RangeRequest(parsing: again, length: length) == .ranges(ranges))
}
