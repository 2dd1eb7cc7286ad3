import Foundation

/// A file of the repository, by its path from the root.
struct SourceFile: Sendable {
    let path: String
    let text: String

    /// The text without comments and without what stands in string literals, line for line.
    let code: String

    /// The comments alone, line for line.
    let comments: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        var lexer = SourceLexer(text)
        lexer.split()
        code = lexer.code
        comments = lexer.comments
    }

    /// The target that the file belongs to: the folder below `Sources` or `Examples`.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : ""
    }

    /// Asks `check` about each line of the code.
    func findings(_ check: (Substring) -> String?) -> [Finding] { findings(in: code, check) }

    /// Asks `check` about each line of `view`, which is ``code`` or ``comments``.
    func findings(in view: String, _ check: (Substring) -> String?) -> [Finding] {
        view.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .compactMap { index, line in
                check(line).map { Finding(path: path, line: index + 1, what: $0) }
            }
    }
}

/// What a check has found wrong, in the form that editors can jump to.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

/// The repository that these tests stand in.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = files(under: "Sources", extensions: ["swift", "c", "h"])
    static let examples = files(under: "Examples", extensions: ["swift"])
    static let tests = files(under: "Tests", extensions: ["swift", "c", "h"])
    static let fuzz = files(under: "Fuzz", extensions: ["swift"])

    /// The text of a file, or nil if there is none.
    static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func files(under folder: String, extensions: Set<String>) -> [SourceFile] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        var files: [SourceFile] = []
        while let path = paths?.nextObject() as? String {
            guard extensions.contains((path as NSString).pathExtension) else { continue }
            let whole = "\(folder)/\(path)"
            files.append(SourceFile(path: whole, text: text(whole) ?? ""))
        }
        return files.sorted { $0.path < $1.path }
    }
}
