import Foundation

/// A request of one of the collections in WHARF_DATA.
struct CorpusCase {
    let id: String
    let input: [UInt8]
    /// What the collection expects, where it says so in one word.
    let expectation: String

    /// All cases of a collection, or nil if it is not there.
    static func all(of name: String) -> [CorpusCase]? {
        let folder = ProcessInfo.processInfo.environment["WHARF_DATA"] ?? "../shared"
        let path = "\(folder)/data/http/\(name).json"
        guard let data = FileManager.default.contents(atPath: path),
            let entries = try? JSONDecoder().decode([Entry].self, from: data)
        else {
            print("skipped: no data (\(path))")
            return nil
        }
        return entries.map { CorpusCase(id: $0.id, input: $0.input, expectation: $0.expect ?? "") }
    }

    /// A case as the files have it: one text, or steps of several parts on one connection.
    private struct Entry: Decodable {
        struct Part: Decodable { let b64: String }
        struct Step: Decodable { let parts: [Part]? }

        let id: String
        let b64: String?
        let request_b64: String?
        let steps: [Step]?
        let expect: String?

        var input: [UInt8] {
            let parts = (steps ?? []).flatMap { $0.parts ?? [] }.map(\.b64)
            let texts = [b64, request_b64].compactMap { $0 } + parts
            let bytes = texts.flatMap { Data(base64Encoded: $0).map { Array($0) } ?? [] }
            return replacing(Array("{{HOST}}".utf8), in: bytes, by: Array("localhost:80".utf8))
        }

        private func replacing(_ mark: [UInt8], in bytes: [UInt8], by text: [UInt8]) -> [UInt8] {
            var result: [UInt8] = []
            var rest = bytes[...]
            while let brace = rest.firstIndex(of: mark[0]) {
                result += rest[..<brace]
                let isMark = rest[brace...].starts(with: mark)
                result += isMark ? text : [rest[brace]]
                rest = rest[brace...].dropFirst(isMark ? mark.count : 1)
            }
            return result + rest
        }
    }
}
