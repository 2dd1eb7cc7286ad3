import Foundation
import Testing
import WharfHTTP

/// The vectors of the HTTP working group, where `WHARF_DATA` has them (httpwg/structured-field-tests).
@Suite struct `the public vectors of structured fields` {
    private static var files: [URL] {
        let root = ProcessInfo.processInfo.environment["WHARF_DATA"] ?? "../shared"
        let folder = URL(fileURLWithPath: root).appending(path: "data/structured-fields")
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map {
            folder.appending(path: $0)
        }
    }

    @Test func `are read, refused and written as they say`() throws {
        for file in Self.files {
            let data = try Data(contentsOf: file)
            let cases = try #require(
                try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
            for one in cases where one["raw"] != nil { try check(one, file.lastPathComponent) }
        }
    }

    private func check(_ one: [String: Any], _ file: String) throws {
        let name = "\(file): \(one["name"] ?? "")"
        let lines = try #require(one["raw"] as? [String])
        let raw = lines.joined(separator: ", ")
        let written: String?
        switch one["header_type"] as? String {
        case "item": written = StructuredField.item(raw)?.description
        case "list":
            written = StructuredField.list(raw)?.map(\.description).joined(separator: ", ")
        default: written = StructuredField.dictionary(raw)?.description
        }
        if one["must_fail"] as? Bool == true {
            #expect(written == nil, "\(name): \(raw)")
        } else if written != nil || one["can_fail"] as? Bool != true {
            let canonical = (one["canonical"] as? [String] ?? lines).joined(separator: ", ")
            #expect(written == canonical, "\(name): \(raw)")
        }
    }
}
