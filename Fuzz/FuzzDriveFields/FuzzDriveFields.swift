import WharfCrypto
import WharfHTTP
import WharfWebDAV

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzDriveFields_main")
public func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    var count = count
    var arguments = unsafe arguments
    return unsafe runFuzzer(&count, &arguments) { bytes, count in
        let text = unsafe String(
            decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        checkDestination(text)
        checkLocks(text)
        checkFile(text)
        return 0
    }
}

/// A destination is a path without a fragment, which stays below the root or is refused.
func checkDestination(_ text: String) {
    guard let path = try? Destination.path(text, host: "a:80", base: "/b/c") else { return }
    precondition(path.hasPrefix("/") && !path.hasPrefix("//") && !path.contains("#"))
    guard let parsed = try? RequestPath(validating: path), parsed.isCanonical else { return }
    let resource = ResourcePath(parsed)
    precondition(resource.ancestors.allSatisfy { resource.isBelow($0) })
    let href = resource.href(isFolder: parsed.hasTrailingSlash)
    let again = try? RequestPath(validating: href)
    precondition(again.map(ResourcePath.init) == resource, "the href is of something else")
}

/// A timeout keeps its bounds; a token is written and read again unchanged.
func checkLocks(_ text: String) {
    let seconds = LockTimeout.seconds(text, usual: 60, maximum: 600)
    precondition((1...600).contains(seconds), "a timeout out of bounds")
    if let url = CodedURL.parse(text) { precondition(CodedURL.parse("<\(url)>") == url) }
    _ = Depth(parsing: text)
}

/// A time and a checksum are what they seem, and a part of a file lies in it or behind.
func checkFile(_ text: String) {
    if let time = UnixTime(text) { precondition(time.nanoseconds >= 0) }
    if case .checksum(let checksum) = FileChecksum.read(text) {
        precondition(checksum.digest.count == checksum.algorithm.byteCount)
        precondition(FileChecksum.read(checksum.text) == .checksum(checksum))
    }
    for range in [UpdateRange(contentRange: text), UpdateRange(updateRange: text)] {
        for size in [0, 1, Int64(1) << 40] {
            guard let start = range?.start(in: size) else { continue }
            precondition(start >= 0 && start <= Int64(1) << 60)
        }
        if let count = range?.count { precondition(count > 0) }
    }
}
