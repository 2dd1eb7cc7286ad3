import Foundation
import Testing

@Suite struct ArticleTests {
    private static let folder = "Sources/Wharf/Wharf.docc"

    private static var articles: [String] {
        let path = Repository.root.appending(path: folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted()
    }

    @Test func `every Swift snippet of an article is a part of a file that is compiled`() throws {
        #expect(Self.articles.count >= 8)
        for name in Self.articles {
            let article = try #require(Repository.text("\(Self.folder)/\(name)"))
            #expect(wrongSnippets(article, name, file: Repository.text) == [])
        }
    }

    @Test func `the root names every article, and no other`() throws {
        let root = try #require(Repository.text("\(Self.folder)/Wharf.md"))
        let named = root.matches(of: /<doc:([A-Za-z]+)>/).map { "\($0.1).md" }
        #expect(Set(named + ["Wharf.md"]) == Set(Self.articles))
    }

    @Test(arguments: [
        ("<!-- Examples/A.swift -->\n```swift\nlet a = 1\n```\n", []),
        ("<!-- Examples/A.swift -->\n```swift\nf {\n    g()\n}\n```\n", []),
        ("<!-- Examples/A.swift -->\n```swift\ng()\n}\n```\n", [2]),
        ("<!-- Examples/A.swift -->\n```swift\nlet a = 2\n```\n", [2]),
        ("<!-- Sources/A.swift -->\n```swift\nlet a = 1\n```\n", [2]),
        ("```swift\nlet a = 1\n```\n", [1]),
        ("<!-- Examples/A.swift -->\n```swift\nlet a = 1\n", [2]),
        ("```sh\nmake\n```\n", []),
    ])
    func `a snippet that is no part of its file is found`(text: String, lines: [Int]) {
        let file = "let a = 1\nh {\n    f {\n        g()\n    }\n}\n"
        #expect(wrongSnippets(text, "A.md", file: { _ in file }).map(\.line) == lines)
    }
}

/// Checks that each ```` ```swift ```` fence has a line `<!-- PATH -->` above it, of an example or a
/// test, and that its lines follow each other there, at whichever depth.
private func wrongSnippets(
    _ article: String, _ name: String, file: (String) -> String?
) -> [Finding] {
    let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0] == "```swift" }.compactMap { start in
        let above = start > 0 ? lines[start - 1] : ""
        let path = String(above.dropFirst("<!-- ".count).dropLast(" -->".count))
        let snippet = lines[(start + 1)...].prefix { $0 != "```" }
        let isNamed = path.hasPrefix("Examples/") || path.hasPrefix("Tests/")
        guard isNamed, snippet.endIndex < lines.endIndex, let text = file(path),
            contains(text, Array(snippet))
        else {
            return Finding(path: name, line: start + 1, what: "is no part of \(path)")
        }
        return nil
    }
}

private func contains(_ text: String, _ snippet: [Substring]) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= snippet.count else { return false }
    return (0...(lines.count - snippet.count)).contains { start in
        let depth = lines[start].prefix { $0 == " " }.count
        return zip(lines[start...], snippet).allSatisfy { line, wanted in
            line == (wanted.isEmpty ? "" : String(repeating: " ", count: depth) + wanted)
        }
    }
}
