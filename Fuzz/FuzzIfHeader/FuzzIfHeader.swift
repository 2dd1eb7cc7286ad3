import WharfWebDAV

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzIfHeader_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkField(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// An If field that was read is written and read again unchanged.
func checkField(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let field = IfHeader(parsing: text) {
        precondition(!field.lists.isEmpty && field.lists.allSatisfy { !$0.conditions.isEmpty })
        precondition(IfHeader(parsing: write(field)) == field, "the field changed")
        let state = IfHeader.State(tokens: field.tokens, entityTag: nil)
        _ = field.holds { _ in state }
    }
}

private func write(_ field: IfHeader) -> String {
    var text = ""
    var resource: String?
    for list in field.lists {
        if let tag = list.resource, tag != resource { text += "<\(tag)> " }
        resource = list.resource
        let conditions = list.conditions.map { condition in
            let kind =
                switch condition.kind {
                case .token(let token): "<\(token)>"
                case .entityTag(let tag): "[\(tag)]"
                }
            return (condition.isNegated ? "Not " : "") + kind
        }
        text += "(" + conditions.joined(separator: " ") + ") "
    }
    return text
}
