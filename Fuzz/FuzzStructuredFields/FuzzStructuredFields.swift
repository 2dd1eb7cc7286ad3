import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzStructuredFields_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkFields(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// Structured fields that were read are written and read again unchanged.
func checkFields(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let item = StructuredField.item(text) {
        precondition(StructuredField.item(item.description) == item, "an item changed")
    }
    if let list = StructuredField.list(text) {
        let written = list.map(\.description).joined(separator: ", ")
        precondition(StructuredField.list(written) == list, "a list changed")
    }
    if let dictionary = StructuredField.dictionary(text) {
        let again = StructuredField.dictionary(dictionary.description)
        precondition(again == dictionary, "a dictionary changed")
    }
}
