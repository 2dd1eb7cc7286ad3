import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzForm_main")
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

/// A form that is read, written and read again is the same; there are no more fields than allowed.
func check(_ input: [UInt8]) {
    guard let form = URLEncodedForm(parsing: input, fieldCountMax: 50) else {
        precondition(input.count(where: { $0 == 0x26 }) >= 50)
        return
    }
    precondition(form.fields.count <= 50)
    precondition(URLEncodedForm(parsing: form.description) == form)
    for field in form.fields {
        precondition(form[field.name] != nil)
        precondition(form[values: field.name].contains(field.value))
    }
}
