import Testing

/// What the sources do without, what is to be used instead, and where it may stand after all.
private struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let pattern: String
    let instead: String
    var allowed: [Allowed] = []

    /// Lines that break the rule, and lines that only look so.
    let broken: [String]
    let kept: [String]

    var testDescription: String { name }
}

private let rules = [
    Rule(
        name: "fatalError", pattern: #"\bfatalError\b"#,
        instead: "answer a peer's error, throw the system's, `precondition` the programmer's",
        broken: ["fatalError(\"no\")", "default: fatalError()"], kept: ["// fatalError()"]),
    Rule(
        name: "try!", pattern: #"\btry!"#, instead: "handle the error, or say why with `try?`",
        broken: ["let a = try! f()"], kept: ["let a = try? f()", "let a = \"try! again\""]),
    Rule(
        name: "as!", pattern: #"\bas!"#, instead: "a type that needs no cast",
        broken: ["let a = b as! Int"], kept: ["let a = b as? Int", "let alas = !b"]),
    Rule(
        name: "Task { }", pattern: #"(^|[^\s>])\s*\bTask(<[^{}]*>)?\s*(\([^{}]*\))?\s*\{"#,
        instead: "structured tasks: they end, and are cancelled, with their parent",
        allowed: [
            Allowed(
                "Sources/WharfServer/HTTPServer.swift",
                "the root of all connections: they may outlive the task that called run()")
        ],
        broken: [
            "Task { await f() }", "let a = Task(priority: .high) {", "Task<Void, Never> {}",
            "Task(executorPreference: loop.executor()) { await f() }",
        ],
        kept: ["group.addTask { }", "withTask(a) { }", "func f() -> Task<Void, Never> { a }"]),
    Rule(
        name: "Task.detached", pattern: #"\bTask\.(detached|immediate\w*)\b"#,
        instead: "structured tasks",
        broken: ["Task.detached { }", "Task.immediate { }"], kept: ["Task.isCancelled"]),
    Rule(
        name: "Task.sleep", pattern: #"\bTask\.sleep\b"#,
        instead: "a deadline of the loop, which the simulator can move",
        broken: ["try await Task.sleep(for: .seconds(1))"], kept: ["try await loop.sleep(a)"]),
    Rule(
        name: "clocks", pattern: #"\b(ContinuousClock|SuspendingClock)\b"#,
        instead: "`System.now`, which the simulator can move",
        broken: ["let now = ContinuousClock.now"], kept: ["let now = system.now"]),
    Rule(
        name: "Date()", pattern: #"\bDate(\(\)|\.now\b)"#,
        instead: "`System.now`, which the simulator can move",
        broken: ["let now = Date()", "f(Date.now)"], kept: ["HTTPDate()", "Date(seconds: 1)"]),
    Rule(
        name: "print", pattern: #"(^|[^.\w])print\("#,
        instead: "an event that the program can log",
        allowed: [
            Allowed("Sources/WharfCommand/*", "a program talks to its user")
        ],
        broken: ["print(1)", "    print(\"a\")"], kept: ["blueprint(1)", "page.print(1)"]),
]

@Suite struct ForbiddenCallTests {
    @Test(arguments: rules)
    private func `the sources do without`(rule: Rule) {
        #expect(violations(of: rule, in: Repository.sources).except(rule.allowed) == [])
    }

    @Test(arguments: rules)
    private func `a line that breaks the rule is found`(rule: Rule) {
        for line in rule.broken {
            let file = SourceFile(path: "Sources/WharfServer/A.swift", text: "// A\n\(line)\n")
            #expect(violations(of: rule, in: [file]).map(\.line) == [2], "\(line)")
        }
    }

    @Test(arguments: rules)
    private func `a line that only looks so is not`(rule: Rule) {
        for line in rule.kept {
            let file = SourceFile(path: "Sources/WharfServer/A.swift", text: line)
            #expect(violations(of: rule, in: [file]) == [], "\(line)")
        }
    }

    @Test func `an allow-list covers its file, and complains once it is not needed`() {
        let list = [Allowed("Sources/A.swift", "because")]
        let finding = Finding(path: "Sources/A.swift", line: 3, what: "print")
        let other = Finding(path: "Sources/B.swift", line: 4, what: "print")
        #expect([finding, other].except(list) == [other])
        #expect(
            [other].except(list) == [
                other, Finding(path: "Sources/A.swift", line: 1, what: "is allowed in vain"),
            ])
    }
}

private func violations(of rule: Rule, in files: [SourceFile]) -> [Finding] {
    let expression = try! Regex(rule.pattern).wordBoundaryKind(.simple)
    return files.filter { $0.path.hasSuffix(".swift") }.flatMap { file in
        file.findings { line in
            line.contains(expression) ? "\(rule.name); instead: \(rule.instead)" : nil
        }
    }
}
