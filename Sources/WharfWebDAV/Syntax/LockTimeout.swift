/// How long a client would like to hold a lock (RFC 4918 §10.7).
package enum LockTimeout {
    /// What is granted: the first wish of the list that is understood, within bounds, in seconds.
    ///
    /// Without one it is `usual`.
    package static func seconds(_ value: String?, usual: Int64, maximum: Int64) -> Int64 {
        for wish in (value ?? "").split(separator: ",") {
            let words = wish.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count == 1 else { continue }
            let word = words[0].lowercased()
            if word == "infinite" { return maximum }
            guard word.hasPrefix("second-") else { continue }
            let digits = word.dropFirst("second-".count).utf8
            guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
                continue
            }
            // RFC 4918 §10.7 knows no number beyond 2^32 - 1; a larger one wants as much as it can get.
            return min(max(Int64(String(Substring(digits))) ?? maximum, 1), maximum)
        }
        return min(usual, maximum)
    }
}
