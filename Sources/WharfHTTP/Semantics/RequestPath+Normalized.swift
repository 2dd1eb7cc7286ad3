extension RequestPath {
    /// A decoded path without `.`, `..` and empty segments, as text alone tells.
    ///
    /// `..` at the top leads nowhere and is dropped, as is a slash at the end; one at the front
    /// stays. Nothing is decoded or refused: for targets of requests use ``init(_:)``, and note
    /// that behind a symbolic link a file system's `..` leads elsewhere.
    public static func normalized(_ path: some StringProtocol) -> String {
        var segments: [Substring.UTF8View] = []
        let text = Substring(path)
        for segment in text.utf8.split(separator: ASCII.slash) {
            if segment.elementsEqual(".".utf8) { continue }
            if segment.elementsEqual("..".utf8) {
                _ = segments.popLast()
            } else {
                segments.append(segment)
            }
        }
        let root = text.utf8.first == ASCII.slash ? "/" : ""
        return root + segments.map { String(Substring($0)) }.joined(separator: "/")
    }
}
