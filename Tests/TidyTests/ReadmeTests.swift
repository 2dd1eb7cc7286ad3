import Testing

@Suite struct ReadmeTests {
    @Test func `every Swift snippet of the README is the text of an example`() throws {
        let readme = try #require(Repository.text("README.md"))
        #expect(readme.contains("```swift"))
        #expect(wrongSnippets(readme, file: Repository.text) == [])
    }

    @Test(arguments: [
        ("<!-- Examples/A.swift -->\n```swift\nlet a = 1\n```\n", []),
        ("<!-- Examples/A.swift -->\n```swift\nlet a = 2\n```\n", [2]),
        ("<!-- Examples/B.swift -->\n```swift\nlet a = 1\n```\n", [2]),
        ("<!-- Sources/A.swift -->\n```swift\nlet a = 1\n```\n", [2]),
        ("As follows:\n```swift\nlet a = 1\n```\n", [2]),
        ("<!-- Examples/A.swift -->\n```swift\nlet a = 1\n", [2]),
        ("Text\n```sh\nmake test\n```\n", []),
    ])
    func `a snippet that is not the file's text is found`(text: String, lines: [Int]) {
        let found = wrongSnippets(text) { $0.hasSuffix("A.swift") ? "let a = 1\n" : nil }
        #expect(found.map(\.line) == lines)
    }
}

/// Checks that each ```` ```swift ```` fence has a line `<!-- Examples/PATH -->` right above it,
/// and is that file.
private func wrongSnippets(_ readme: String, file: (String) -> String?) -> [Finding] {
    let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0] == "```swift" }.compactMap { start in
        let above = start > 0 ? lines[start - 1] : ""
        let path = above.dropFirst("<!-- ".count).dropLast(" -->".count)
        let snippet = lines[(start + 1)...].prefix { $0 != "```" }
        let isClosed = snippet.endIndex < lines.endIndex
        let text = snippet.map { $0 + "\n" }.joined()
        let isExample = above.hasPrefix("<!-- Examples/") && above.hasSuffix(" -->")
        guard !isExample || !isClosed || file(String(path)) != text else { return nil }
        let what = isExample ? "differs from \(path)" : "names no file of Examples/ above it"
        return Finding(path: "README.md", line: start + 1, what: what)
    }
}
