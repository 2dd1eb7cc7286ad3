import Testing

private let fileLineCountMax = 400
private let functionLineCountMax = 70

private let longFiles: [Allowed] = []
private let longFunctions: [Allowed] = []

@Suite struct LengthTests {
    static let files = Repository.sources + Repository.tests + Repository.examples + Repository.fuzz

    @Test func `no file is longer than 400 lines`() {
        #expect(longFiles(Self.files).except(longFiles) == [])
    }

    @Test func `no function is longer than 70 lines`() {
        #expect(longFunctions(Self.files).except(longFunctions) == [])
    }

    @Test(arguments: [(400, true), (401, false)])
    func `a file may have 400 lines`(lineCount: Int, isAllowed: Bool) {
        let text = String(repeating: "let a = 1\n", count: lineCount)
        let found = longFiles([SourceFile(path: "Sources/Wharf/A.swift", text: text)])
        #expect(found.isEmpty == isAllowed)
    }

    @Test(arguments: [
        "func f() {", "init(a: Int = { 1 }()) {", "deinit {", "private static func f<T>(_ a: T)\n{",
        "subscript(a: Int) -> Int {", "func f(\n    a: [Int] = [1, 2]\n) async throws -> Int {",
    ])
    func `a function may have 70 lines`(head: String) {
        for (extra, isAllowed) in [(0, true), (1, false)] {
            let headCount = head.split(separator: "\n").count
            let body = String(repeating: "    if a { b }\n", count: 69 - headCount + extra)
            let text = "struct S {\n\(head)\n\(body)}\n}\n"
            let found = longFunctions([SourceFile(path: "Sources/Wharf/A.swift", text: text)])
            #expect(found.isEmpty == isAllowed)
        }
    }

    @Test func `requirements and calls have no length`() {
        let text = """
            protocol P {
                func f() -> Int
                init(a: Int)
                var a: Int { get }
            }
            extension P {
                func g() { self.init() }
            \(String(repeating: "    // A comment.\n", count: 100))
            }
            """
        #expect(longFunctions([SourceFile(path: "Sources/Wharf/A.swift", text: text)]) == [])
    }
}

private func longFiles(_ files: [SourceFile]) -> [Finding] {
    files.compactMap { file in
        let count = file.text.count { $0.isNewline }
        guard count > fileLineCountMax else { return nil }
        return Finding(path: file.path, line: fileLineCountMax, what: "has \(count) lines")
    }
}

private func longFunctions(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.path.hasSuffix(".swift") }.flatMap { file in
        FunctionScanner(file.code).functions().compactMap { function -> Finding? in
            let count = function.lines.count
            guard count > functionLineCountMax else { return nil }
            let what = "\(function.name) has \(count) lines"
            return Finding(path: file.path, line: function.lines.lowerBound, what: what)
        }
    }
}
