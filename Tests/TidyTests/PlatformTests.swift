import Testing

/// Where code may ask what it is compiled for.
private let platformAware = [
    Allowed("Sources/WharfNet/*", "the one module that touches the system"),
    Allowed("Sources/CWharf/*", "its C edge"),
    Allowed(
        "Sources/WharfCrypto/*+OpenSSL.swift", "hashes from OpenSSL, where there is no CryptoKit"),
    Allowed("Sources/WharfCrypto/*+CryptoKit.swift", "hashes from CryptoKit on Apple systems"),
    Allowed("Sources/WharfCrypto/*+CommonCrypto.swift", "what CryptoKit lacks there"),
    Allowed(
        "Sources/WharfServer/Message/JSONFormat.swift",
        "JSON from the part of Foundation that has a name of its own on Linux only"),
    Allowed(
        "Sources/WharfURLSession/Multipart+URLSession.swift",
        "parts of Foundation have names of their own on Linux only"),
]

@Suite struct PlatformTests {
    @Test func `only the impure module knows platforms`() {
        #expect(platformConditions(Repository.sources).except(platformAware) == [])
    }

    @Test(arguments: [
        "#if os(Linux)",
        "#elseif canImport(Darwin)",
        "  #if DEBUG && !os(macOS)",
        "#if targetEnvironment(simulator)",
        "#if arch(x86_64)",
    ])
    func `a platform condition is found`(line: String) {
        let file = SourceFile(path: "Sources/WharfServer/A.swift", text: "\n\(line)\n#endif\n")
        #expect(platformConditions([file]).map(\.line) == [2])
    }

    @Test(arguments: ["#ifdef __linux__", "#if defined(__APPLE__)", "#ifndef __linux__"])
    func `a platform condition in C is found`(line: String) {
        let file = SourceFile(path: "Sources/CZlib/shim.h", text: "\(line)\n#endif\n")
        #expect(platformConditions([file]).map(\.line) == [1])
    }

    @Test(arguments: ["#if DEBUG", "// #if os(Linux)", "let a = \"#if os(Linux)\""])
    func `other conditions, comments and strings are not`(line: String) {
        let file = SourceFile(path: "Sources/WharfServer/A.swift", text: line)
        #expect(platformConditions([file]) == [])
    }

    @Test func `the allow-list means what it says`() {
        #expect(platformAware.cover("Sources/WharfNet/Loop/Poller+epoll.swift"))
        #expect(platformAware.cover("Sources/WharfCrypto/Hash+OpenSSL.swift"))
        #expect(!platformAware.cover("Sources/WharfCrypto/Hash.swift"))
        #expect(!platformAware.cover("Sources/WharfNetwork/Hash.swift"))
    }
}

private func platformConditions(_ files: [SourceFile]) -> [Finding] {
    let questions = [
        "os(", "canImport(", "arch(", "targetEnvironment(", "__linux__", "__APPLE__",
    ]
    return files.flatMap { file in
        file.findings { line in
            let line = line.trimmingPrefix { $0 == " " || $0 == "\t" }
            guard line.hasPrefix("#if") || line.hasPrefix("#elseif") || line.hasPrefix("#elif"),
                let question = questions.first(where: { line.contains($0) })
            else { return nil }
            return "asks for the platform: \(question)"
        }
    }
}
