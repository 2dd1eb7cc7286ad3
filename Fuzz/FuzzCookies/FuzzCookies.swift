import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzCookies_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        unsafe checkCookies(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// Cookies that were read, written again, must be read as the same.
func checkCookies(_ input: [UInt8]) {
    let cookies = Cookies(parsing: String(decoding: input, as: UTF8.self))
    precondition(cookies.count <= Cookies.countMax, "more cookies than there may be")
    for cookie in cookies {
        precondition(!cookie.name.isEmpty, "a cookie without a name")
        let text = cookie.name + cookie.value
        precondition(
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x3B || $0 == 0x09 },
            "a cookie with what can stand in none")
    }
    let written = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    precondition(Cookies(parsing: written) == cookies, "cookies changed")
}
