import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzBasic_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkBasic(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// A name and a password that were read, written again, must be read as the same.
func checkBasic(_ input: [UInt8]) {
    if let bytes = Base64.decode(input) {
        precondition(Base64.decode(Base64.encode(bytes).utf8) == bytes, "bytes changed")
    }
    // As base 64, and as what lies behind it.
    for text in [String(decoding: input, as: UTF8.self), Base64.encode(input)] {
        guard case .basic(let basic)? = Authorization("Basic " + text) else { continue }
        precondition(!basic.userName.utf8.contains(0x3A), "a name with a colon")
        precondition(
            (basic.userName + basic.password).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F },
            "a control")
        precondition(Authorization(basic.fieldValue) == .basic(basic), "credentials changed")
    }
}
