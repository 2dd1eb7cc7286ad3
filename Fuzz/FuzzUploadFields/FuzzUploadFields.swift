import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzUploadFields_main")
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

/// Fields of uploads keep their bounds, and what was read is written and read again unchanged.
func checkFields(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let metadata = TusMetadata(parsing: text) {
        precondition(metadata.values.count <= TusMetadata.pairCountMax, "too many pairs")
        let written = metadata.values.map { "\($0) \(Base64.encode($1))" }.joined(separator: ",")
        // The field's bound is on what was sent, and padding may have been left out there.
        if written.utf8.count <= TusMetadata.byteCountMax {
            precondition(TusMetadata(parsing: written) == metadata, "metadata changed")
        }
        _ = metadata.text("filename", "path")
    }
    if let concatenation = TusConcatenation(parsing: text) {
        precondition(TusConcatenation(parsing: concatenation.text) == concatenation)
    }
    if let checksum = TusChecksum(parsing: text) {
        let written = "\(checksum.algorithm) \(Base64.encode(checksum.digest))"
        precondition(TusChecksum(parsing: written) == checksum, "a checksum changed")
    }
    if let count = UploadCount.parse(text) {
        precondition((0..<1_000_000_000_000_000).contains(count), "a number out of bounds")
    }
    let number = String(text.prefix(40))
    if let disposition = ContentDisposition.parse(number)?.fileName {
        _ = try? FileName.sanitizedPath(disposition)
    }
    let numbered = FileName.numbered(text, 2)
    precondition(numbered.utf8.count == text.utf8.count + 4, "a name lost something")
}
