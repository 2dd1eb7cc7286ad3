import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzDigest_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkDigest(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// Credentials and challenges that were read, written again, must be read as the same.
func checkDigest(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if case .digest(let digest)? = Authorization("Digest " + text) {
        precondition(Authorization(digest.fieldValue) == .digest(digest), "credentials changed")
        _ = digest.responseInput(hashA1: "1", hashA2: "2")
    }
    let challenges = Challenge.parse(text)
    precondition(challenges.count <= Challenge.countMax, "more challenges than there may be")
    let written = challenges.map(\.description).joined(separator: ", ")
    precondition(Challenge.parse(written) == challenges, "challenges changed")
}
