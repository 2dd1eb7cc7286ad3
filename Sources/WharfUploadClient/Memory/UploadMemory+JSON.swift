/// The file's content: JSON with one upload on each line.
///
/// Only what was written here is read. A whole reader of JSON would cost an upload a tenth of its
/// memory, and nothing else is in the file: keys are base 64, URLs hold neither quotes nor
/// backslashes.
extension UploadMemory {
    private static let start = "{\"version\": 1, \"uploads\": {"
    private static let end = "}}"

    /// Reads the file's content; what is malformed is as good as nothing.
    static func decode(_ bytes: [UInt8]) -> [String: Entry] {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first == Substring(start), lines.last == Substring(end) else { return [:] }
        var entries: [String: Entry] = [:]
        for line in lines.dropFirst().dropLast() {
            // `"KEY": {"time": 1, "url": "URL"},`
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            guard parts.count == 9, parts[0].isEmpty, parts[2] == ": {", parts[3] == "time",
                parts[5] == "url", parts[6] == ": ",
                let time = Int64(parts[4].drop { $0 == ":" || $0 == " " }.prefix { $0 != "," })
            else { continue }
            entries[String(parts[1])] = Entry(url: String(parts[7]), time: time)
        }
        return entries
    }

    /// The file's content.
    static func encode(_ entries: [String: Entry]) -> [UInt8] {
        let lines = entries.sorted { $0.key < $1.key }.compactMap { key, entry -> String? in
            let isPlain = !(key + entry.url).utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
            guard isPlain else { return nil }
            return "\"\(key)\": {\"time\": \(entry.time), \"url\": \"\(entry.url)\"}"
        }
        return Array("\(start)\n\(lines.joined(separator: ",\n"))\n\(end)\n".utf8)
    }
}
