/// Finds functions in code without comments and strings, by their keywords and braces.
struct FunctionScanner {
    struct Function {
        let name: String
        let lines: ClosedRange<Int>
    }

    private struct Token {
        let text: Substring
        let line: Int
        let isMember: Bool
    }

    private static let functionKeywords: Set<Substring> = ["func", "init", "deinit", "subscript"]

    /// A head that reaches one of these had no body: it was a requirement of a protocol.
    private static let otherKeywords: Set<Substring> = [
        "associatedtype", "case", "enum", "extension", "let", "protocol", "struct", "typealias",
        "var",
    ]

    private var tokens: [Token] = []

    init(_ code: String) {
        for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            append(line, number: index + 1)
        }
    }

    private mutating func append(_ line: Substring, number: Int) {
        var position = line.startIndex
        var isMember = false
        while position < line.endIndex {
            let rest = line[position...]
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let text = word.isEmpty ? rest.prefix(1) : word
            if text != " " { tokens.append(Token(text: text, line: number, isMember: isMember)) }
            isMember = text == "."
            position = text.endIndex
        }
    }

    func functions() -> [Function] {
        tokens.indices.compactMap { start in
            let keyword = tokens[start]
            guard Self.functionKeywords.contains(keyword.text), !keyword.isMember,
                let open = bodyStart(after: start), let close = bodyEnd(from: open)
            else { return nil }
            let hasName = keyword.text == "func" && start + 1 < open
            let name = hasName ? tokens[start + 1].text : keyword.text
            return Function(name: String(name), lines: keyword.line...tokens[close].line)
        }
    }

    private func bodyStart(after start: Int) -> Int? {
        var depth = 0
        for index in (start + 1)..<max(start + 1, tokens.count) {
            let text = tokens[index].text
            switch text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "}" where depth == 0: return nil
            default:
                let isKeyword =
                    Self.functionKeywords.contains(text) || Self.otherKeywords.contains(text)
                if depth == 0, isKeyword, !tokens[index].isMember { return nil }
            }
        }
        return nil
    }

    private func bodyEnd(from open: Int) -> Int? {
        var depth = 0
        for index in open..<tokens.count {
            if tokens[index].text == "{" { depth += 1 }
            if tokens[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
