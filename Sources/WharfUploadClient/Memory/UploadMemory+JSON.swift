// The part of Foundation that is enough has a name of its own on Linux only.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension UploadMemory {
    /// Reads the file's content; what is malformed is as good as nothing.
    static func decode(_ bytes: [UInt8]) -> [String: Entry] {
        guard !bytes.isEmpty,
            let file = try? JSONDecoder().decode(File.self, from: Data(bytes)), file.version == 1
        else { return [:] }
        return file.uploads.mapValues { Entry(url: $0.url, time: $0.time) }
    }

    /// The file's content.
    static func encode(_ entries: [String: Entry]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        // Texts and numbers only: there is nothing in it that can't be encoded.
        let data = try? encoder.encode(
            File(version: 1, uploads: entries.mapValues { Row(url: $0.url, time: $0.time) }))
        return data.map { Array($0) } ?? []
    }

    private struct File: Codable {
        var version: Int
        var uploads: [String: Row]
    }

    private struct Row: Codable {
        var url: String
        var time: Int64
    }
}
