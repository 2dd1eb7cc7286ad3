import Foundation

@testable import WharfHTTP

/// A body of the collection in WHARF_DATA, and what other servers make of it.
struct MultipartCase {
    struct Part: Decodable, Equatable {
        let name: String
        let filename: String?
        let size: Int
        let sha256: String
    }

    let id: String
    let contentType: String
    /// The servers that were asked agree in all.
    let isAgreed: Bool
    let body: [UInt8]
    /// What most of the servers say that accept it.
    let expected: [Part]
    /// The same with the names that the client meant, where it is known.
    let faithful: [Part]

    /// All cases, or nil if the collection is not there.
    static func all() throws -> [MultipartCase]? {
        let root = ProcessInfo.processInfo.environment["WHARF_DATA"] ?? "../shared"
        let folder = "\(root)/data/multipart"
        guard let data = FileManager.default.contents(atPath: "\(folder)/manifest.json") else {
            print("skipped: no data (\(folder))")
            return nil
        }
        // Python's sign for a byte that is no UTF-8, which is no JSON.
        let text = String(decoding: data, as: UTF8.self).replacing("\\udcc3", with: "\\ufffd")
        return try JSONDecoder().decode([Entry].self, from: Data(text.utf8)).map { entry in
            let file = FileManager.default.contents(atPath: "\(folder)/\(entry.id)")
            return MultipartCase(
                id: entry.id, contentType: entry.content_type,
                isAgreed: entry.class == "strict-ok",
                body: entry.kind == "http"
                    ? content(of: Array(file ?? Data())) : Array(file ?? Data()),
                expected: entry.expected ?? [], faithful: entry.whatwg ?? [])
        }
    }

    private struct Entry: Decodable {
        let id: String
        let kind: String
        let content_type: String
        let `class`: String
        let expected: [Part]?
        let whatwg: [Part]?
    }

    /// The body of a request. It is stored without chunks, and longer than some lengths say.
    private static func content(of request: [UInt8]) -> [UInt8] {
        for end in [bytes("\r\n\r\n"), bytes("\n\n")] {
            guard let range = request.firstRange(of: end) else { continue }
            return Array(request[range.upperBound...])
        }
        return request
    }
}
