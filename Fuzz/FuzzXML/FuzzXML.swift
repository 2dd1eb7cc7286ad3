import WharfWebDAV

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzXML_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkXML(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// Any cut gives the tree of the whole; what was read is written and read again unchanged.
func checkXML(_ input: [UInt8]) {
    var limits = XMLLimits()
    limits.byteCountMax = 4096
    limits.depthMax = 16
    limits.nodeCountMax = 200
    let whole = try? XMLReader.read(input, limits: limits)
    let cut = input.count * Int(input.first ?? 0) / 256
    let reader = XMLReader(limits: limits)
    let parted = try? {
        try reader.feed(Array(input[..<cut]))
        try reader.feed(Array(input[cut...]))
        return try reader.finish()
    }()
    precondition(parted == whole, "a cut changed the tree")
    guard let whole else { return }
    precondition(!input.starts(with: "<!DOCTYPE".utf8), "a document type was read")
    let markup = XMLFragment.markup(of: whole, in: XMLScope())
    let again = try? XMLReader.read(markup)
    precondition(again == whole, "writing changed the tree")
    _ = PropfindBody(whole)
    _ = LockBody(whole)
    for name in ["propertyupdate", "mkcol"] {
        guard let changes = try? PropertyChange.list(whole, named: .dav(name)) else { continue }
        var writer = XMLWriter()
        writer.begin("response")
        PropertyUpdate(changes).write(to: &writer)
        for case .set(_, let markup) in changes { writer.raw(markup) }
        writer.finish("response")
        precondition((try? XMLReader.read(writer.take())) != nil, "the answer is no XML")
    }
}
