import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzURLEncoded_main")
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

/// What was read is written and read again unchanged, and there is no field too many.
func checkForm(_ input: [UInt8]) {
    guard let form = URLEncodedForm(parsing: input, fieldCountMax: 100) else {
        precondition(input.count { $0 == 0x26 } >= 100, "few fields were refused")
        return
    }
    precondition(form.fields.count <= 100, "too many fields")
    precondition(URLEncodedForm(parsing: form.description) == form, "a form changed")
}
