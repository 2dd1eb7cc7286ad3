import WharfHTTP

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What SwiftPM calls in place of `main`.
@_cdecl("FuzzConditions_main")
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

/// The lines are the values of the conditional fields, of Accept and of Accept-Encoding.
///
/// Dates and tags that are read are written and read again unchanged; a 304 is for reading only,
/// and weights lie between 0 and 1.
func check(_ input: [UInt8]) {
    let lines = input.split(separator: 0x0A, maxSplits: 7, omittingEmptySubsequences: false)
    let texts = lines.map { String(decoding: $0, as: UTF8.self) }
    for text in texts {
        if let date = HTTPDate(text) { precondition(HTTPDate(date.description) == date) }
        if let date = HTTPDate(iso8601: text) {
            precondition(HTTPDate(iso8601: date.iso8601) == date)
        }
        if let tag = EntityTag(parsing: text) {
            precondition(EntityTag(parsing: tag.description) == tag)
        }
        let encodings = AcceptedEncodings(parsing: text)
        precondition((0...1).contains(encodings.quality(of: "gzip")))
        precondition(!encodings.prefers("gzip") || encodings.quality(of: "gzip") > 0)
        let preferred = AcceptedTypes(parsing: text).preferred(of: [
            "text/html", "application/json",
        ])
        let quality = preferred.map { AcceptedTypes(parsing: text).quality(of: $0) }
        precondition(quality.map { $0 > 0 && $0 <= 1 } ?? true)
    }
    var fields = HTTPFields()
    let names: [HTTPField.Name] = [
        .ifMatch, .ifUnmodifiedSince, .ifNoneMatch, .ifModifiedSince, .ifRange,
    ]
    for (name, text) in zip(names, texts) where !text.isEmpty { fields[name] = text }
    judge(fields)
}

func judge(_ fields: HTTPFields) {
    let tag = EntityTag("a")
    let date = HTTPDate(unixSeconds: 784_111_777)
    for method in [HTTPRequest.Method.get, .put] {
        let request = HTTPRequest(
            method: method, scheme: nil, authority: "a", path: "/", headerFields: fields)
        for (eTag, lastModified) in [(tag, date), (nil, date), (tag, nil), (nil, nil)]
            as [(EntityTag?, HTTPDate?)]
        {
            let outcome = Preconditions.evaluate(
                request, exists: true, eTag: eTag, lastModified: lastModified)
            precondition(outcome != .notModified || method == .get, "304 for a write")
        }
    }
    let allows = Preconditions.allowsRange(
        ifRange: fields[.ifRange], eTag: nil, lastModified: nil)
    precondition(allows == (fields[.ifRange] == nil), "a range without a version")
}
