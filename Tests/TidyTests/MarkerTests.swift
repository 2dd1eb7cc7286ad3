import Testing

@Suite struct MarkerTests {
    @Test func `whatever is left to do has an issue`() {
        let files =
            Repository.sources + Repository.tests + Repository.examples + Repository.fuzz
        #expect(markersWithoutIssue(files) == [])
    }

    @Test(arguments: ["// TODO: later", "/* FIXME */", "/// XXX (soon)", "let a = 1  // TODO"])
    func `a marker without a number is found`(line: String) {
        let file = SourceFile(path: "Sources/Wharf/A.swift", text: "\n\(line)\n")
        #expect(markersWithoutIssue([file]).map(\.line) == [2])
    }

    @Test(arguments: ["// TODO(#12): later", "// FIXME #7", "let a = \"TODO\"", "let TODO = 1"])
    func `a marker with a number, and what is no comment, is not`(line: String) {
        let file = SourceFile(path: "Sources/Wharf/A.swift", text: line)
        #expect(markersWithoutIssue([file]) == [])
    }
}

private func markersWithoutIssue(_ files: [SourceFile]) -> [Finding] {
    let marker = try! Regex(#"\b(TODO|FIXME|XXX)\b(?!\s?\(?#\d)"#).wordBoundaryKind(.simple)
    return files.flatMap { file in
        file.findings(in: file.comments) { line in
            line.contains(marker) ? "what is left to do has no issue number" : nil
        }
    }
}
