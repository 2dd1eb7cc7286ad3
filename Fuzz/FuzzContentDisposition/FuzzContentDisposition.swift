import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzContentDisposition_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkDisposition(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// What was read is written and read again unchanged; no name of a file leaves its folder.
func checkDisposition(_ input: [UInt8]) {
    guard let value = ContentDisposition.parse(input) else { return }
    if let fileName = value.fileName {
        checkName(fileName)
        let written = ContentDisposition.attachment(named: fileName)
        precondition(ContentDisposition.parse(written) != nil, "what was written is malformed")
    }
}

func checkName(_ name: String) {
    if let safe = try? FileName.sanitized(name) {
        check(safe)
        precondition((try? FileName.sanitized(safe)) == safe, "a safe name changed")
    }
    for part in (try? FileName.sanitizedPath(name)) ?? [] { check(part) }
}

func check(_ name: String) {
    precondition((1...255).contains(name.utf8.count), "a name of no or too many bytes")
    precondition(name != "." && name != "..", "a name that is a folder")
    for byte in name.utf8 {
        precondition(byte >= 0x20 && byte != 0x7F && byte != 0x2F && byte != 0x5C, "a bad byte")
    }
}
