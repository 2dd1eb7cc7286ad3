/// Tells the code of a Swift (or C) text from its comments and string literals.
///
/// It knows nested comments, raw and multi-line strings, interpolation (which is code again),
/// extended regex literals and raw identifiers. A bare `/regex/` is taken for code.
struct SourceLexer {
    private enum Context {
        case code(openParentheses: Int)
        case string(poundCount: Int, quoteCount: Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var contexts: [Context] = [.code(openParentheses: 0)]
    private var codeBytes: [UInt8]
    private var commentBytes: [UInt8]

    /// The text with everything but code blanked.
    var code: String { String(decoding: codeBytes, as: UTF8.self) }

    /// The text with everything but comments blanked.
    var comments: String { String(decoding: commentBytes, as: UTF8.self) }

    init(_ text: String) {
        bytes = Array(text.utf8)
        let blank = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        codeBytes = blank
        commentBytes = blank
    }

    mutating func split() {
        while position < bytes.count {
            switch contexts[contexts.count - 1] {
            case .code(let open): readCode(open)
            case .string(let pounds, let quotes): readString(pounds, quotes)
            }
        }
    }

    private func starts(with text: String, at offset: Int = 0) -> Bool {
        bytes.dropFirst(position + offset).starts(with: text.utf8)
    }

    private mutating func readCode(_ open: Int) {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "/") where starts(with: "//"): readLineComment()
        case UInt8(ascii: "/") where starts(with: "/*"): readBlockComment()
        case UInt8(ascii: "#") where openString() || skipRegex(): break
        case UInt8(ascii: "\"") where openString(): break
        case UInt8(ascii: "`"): skip(through: "`")
        case UInt8(ascii: "("): keep(.code(openParentheses: open + 1))
        case UInt8(ascii: ")") where open == 0 && contexts.count > 1:
            contexts.removeLast()
            position += 1
        case UInt8(ascii: ")"): keep(.code(openParentheses: max(0, open - 1)))
        default: keep(.code(openParentheses: open))
        }
    }

    private mutating func keep(_ context: Context) {
        contexts[contexts.count - 1] = context
        codeBytes[position] = bytes[position]
        position += 1
    }

    private mutating func readLineComment() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            commentBytes[position] = bytes[position]
            position += 1
        }
    }

    private mutating func readBlockComment() {
        var depth = 0
        repeat {
            var width = 1
            if starts(with: "/*") {
                depth += 1
                width = 2
            } else if starts(with: "*/") {
                depth -= 1
                width = 2
            }
            for index in position..<position + width { commentBytes[index] = bytes[index] }
            position += width
        } while depth > 0 && position < bytes.count
    }

    private mutating func openString() -> Bool {
        let pounds = bytes.dropFirst(position).prefix { $0 == UInt8(ascii: "#") }.count
        guard starts(with: "\"", at: pounds) else { return false }
        let quotes = starts(with: "\"\"\"", at: pounds) ? 3 : 1
        contexts.append(.string(poundCount: pounds, quoteCount: quotes))
        position += pounds + quotes
        return true
    }

    private mutating func skipRegex() -> Bool {
        guard starts(with: "#/") else { return false }
        position += 1
        skip(through: "/#")
        return true
    }

    /// Leaves out everything up to the end of `closing`, which doesn't begin here.
    private mutating func skip(through closing: String) {
        position += 1
        while position < bytes.count, !starts(with: closing) { position += 1 }
        position = min(bytes.count, position + closing.utf8.count)
    }

    private mutating func readString(_ pounds: Int, _ quotes: Int) {
        let marks = String(repeating: "#", count: pounds)
        if starts(with: String(repeating: "\"", count: quotes) + marks) {
            contexts.removeLast()
            position += quotes + pounds
        } else if starts(with: "\\" + marks) {
            position += 1 + pounds
            if starts(with: "(") { contexts.append(.code(openParentheses: 0)) }
            position += 1
        } else {
            // A line break ends a single-line literal, so that an odd quote can't swallow the file.
            if quotes == 1, bytes[position] == UInt8(ascii: "\n") { contexts.removeLast() }
            position += 1
        }
    }
}
