import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzPath_main")
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

/// The input is a target, a file's name and a path.
///
/// What a path comes to has no separators and nothing that goes up, and is read again from its
/// canonical form; bytes come through percent-encoding unchanged.
func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let path = RequestPath(text) {
        for segment in path.segments {
            precondition(!segment.isEmpty && !segment.contains(0))
            precondition(!segment.contains(0x2F) && !segment.contains(0x5C))
            precondition(segment != [0x2E] && segment != [0x2E, 0x2E])
        }
        precondition(path.encoded.first == "/" && !path.encoded.hasPrefix("//"))
        let again = RequestPath(path.encoded)
        precondition(again?.segments == path.segments)
        precondition(again?.hasTrailingSlash == path.hasTrailingSlash)
    }
    for component in [PercentEncoding.Component.path, .pathSegment, .query] {
        let encoded = PercentEncoding.encode(input, for: component)
        precondition(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        precondition(PercentEncoding.decode(encoded.utf8) == input)
    }
    let normal = RequestPath.normalized(text)
    precondition(RequestPath.normalized(normal) == normal)
    precondition(!normal.utf8.split(separator: 0x2F).contains { $0.elementsEqual("..".utf8) })
    precondition(MediaType(MediaType.forFileName(text)) != nil)
    let disposition = ContentDisposition.attachment(named: text)
    precondition(disposition.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
}
