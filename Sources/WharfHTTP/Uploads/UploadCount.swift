/// A number of bytes in a field of an upload.
package enum UploadCount {
    /// A number of decimal digits only, or nil: for one that is signed, empty or too large, too.
    ///
    /// Both protocols go no further than what a structured field can say: 15 digits (RFC 9651 §3.3.1).
    package static func parse(_ text: some StringProtocol) -> Int64? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (ASCII.zero...ASCII.nine).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
