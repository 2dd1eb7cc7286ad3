import Testing

@Suite struct SourceLexerTests {
    @Test(arguments: [
        ("a // b", "a     ", "  // b"),
        ("a /* b /* c */ d */ e", "a                   e", "  /* b /* c */ d */  "),
        (#"a "b // c" d"#, "a          d", "            "),
        (#"a "b \" c" d"#, "a          d", "            "),
        (#"a "b \(c("d") + e) f" g"#, "a       c(   ) + e      g", "                        "),
        (##"a #"b " \(c)"# d"##, "a                d", "                 "),
        ("a \"b\nc", "a   \nc", "    \n "),
        ("`a // b` c", "         c", "          "),
        ("a #/b \" c/# d", "a            d", "              "),
        ("a \"\"\"\n\"b\" // c\n\"\"\" d", "a    \n        \n    d", "     \n        \n     "),
        ("/* a", "    ", "/* a"),
        ("\"a", "  ", "  "),
    ])
    func `code and comments are told apart`(text: String, code: String, comments: String) {
        let file = SourceFile(path: "A.swift", text: text)
        #expect(trimmed(file.code) == trimmed(code))
        #expect(trimmed(file.comments) == trimmed(comments))
    }

    @Test func `every prefix of a text can be read`() {
        let text =
            "func f() { /* a */ g(\"b \\(c) #\", #\"d\"#, `e`, #/f/#) } // \"\"\"\n\"\"\"h\"\"\""
        for count in 0...text.count {
            let file = SourceFile(path: "A.swift", text: String(text.prefix(count)))
            #expect(file.code.utf8.count == count)
        }
    }
}

/// Without the blanks, but with the line breaks: their number is what a reader can't count anyway.
private func trimmed(_ text: String) -> String { text.filter { $0 != " " } }
