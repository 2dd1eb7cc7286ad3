import Testing

/// What each target may import: targets of this package, and modules of the system.
/// Arrows point down only (ARCHITECTURE.md). A new target has to be entered here.
private let layers: [String: Set<String>] = [
    // 1: WharfHTTP, WharfCrypto and WharfNet know none of each other.
    "WharfHTTP": ["CZlib"],
    "WharfCrypto": ["COpenSSL", "CommonCrypto", "CryptoKit"],
    "WharfNet": [
        "CMiniUPnPc", "COpenSSL", "CWharf", "Darwin", "Glibc", "Musl", "Synchronization", "UIKit",
    ],
    "WharfStore": ["CSQLite"],
    // 2
    "WharfServer": [
        "WharfCrypto", "WharfHTTP", "WharfNet", "Foundation", "FoundationEssentials",
        "Synchronization",
    ],
    "WharfHTTPClient": ["WharfCrypto", "WharfHTTP", "WharfNet"],
    "WharfWebSocketCodec": ["WharfCrypto", "WharfHTTP"],
    "WharfBLIPEngine": ["WharfHTTP"],
    // 3
    "WharfTesting": ["WharfHTTP", "WharfNet", "WharfServer", "Synchronization"],
    "WharfWebSocket": [
        "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfWebSocketCodec",
    ],
    "WharfUploadClient": ["WharfCrypto", "WharfHTTP", "WharfHTTPClient", "WharfNet"],
    // 4
    "WharfURLSession": [
        "WharfHTTP", "WharfHTTPClient", "WharfNet", "WharfUploadClient", "Foundation",
        "FoundationNetworking",
    ],
    "WharfUploads": [
        "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfStore", "FoundationEssentials",
        "Synchronization",
    ],
    "WharfWebDAV": [
        "CLibXML2", "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfStore",
        "Synchronization",
    ],
    "WharfBLIP": [
        "WharfBLIPEngine", "WharfHTTP", "WharfHTTPClient", "WharfNet", "WharfServer",
        "WharfWebSocket", "WharfWebSocketCodec",
    ],
    // 5
    "WharfPage": [
        "CAssets", "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfUploads",
        "WharfWebDAV", "FoundationEssentials", "Synchronization",
    ],
    // The umbrella
    "Wharf": ["WharfHTTP", "WharfNet", "WharfServer", "WharfWebSocket", "WharfWebSocketCodec"],
    // 6
    "WharfCommand": [
        "CWharf", "WharfBLIP", "WharfBLIPEngine", "WharfHTTP", "WharfHTTPClient", "WharfNet",
        "WharfPage", "WharfServer", "WharfUploadClient", "WharfUploads", "WharfWebDAV",
        "Synchronization",
    ],
    "ConformanceServer": [
        "Wharf", "WharfBLIP", "WharfBLIPEngine", "WharfHTTP", "WharfNet", "WharfWebSocket",
        "WharfWebSocketCodec", "Darwin", "Foundation", "Glibc",
    ],
    "BLIPChat": ["Wharf", "WharfBLIP", "Synchronization"],
    "BLIPEcho": ["Wharf", "WharfBLIP"],
    "BLIPFiles": ["Wharf", "WharfBLIP", "Foundation"],
    "Bonjour": ["Wharf"],
    "ClientCertificates": ["Wharf"],
    "Events": ["Wharf"],
    "Form": ["Wharf"],
    "Hello": ["Wharf"],
    "Login": ["Wharf"],
    "Redirect": ["Wharf"],
    "Resumable": ["Wharf", "WharfUploads"],
    "SendFile": ["Wharf", "WharfHTTPClient", "WharfUploadClient", "Foundation"],
    "Streaming": ["Wharf"],
    "TLS": ["Wharf"],
    "TemplateSite": ["Wharf"],
    "Upload": ["Wharf"],
]

@Suite struct LayerTests {
    @Test func `every import points down`() {
        #expect(misplacedImports(Repository.sources + Repository.examples, layers) == [])
    }

    @Test func `the table has all targets and no others`() {
        let files = (Repository.sources + Repository.examples).filter {
            $0.path.hasSuffix(".swift")
        }
        #expect(Set(files.map(\.target)) == Set(layers.keys))
    }

    @Test func `the table itself points down`() {
        #expect(cycles(layers) == [])
        #expect(cycles(["A": ["B"], "B": ["C"], "C": ["A"], "D": ["A"]]) == ["A", "B", "C"])
    }

    @Test(arguments: [
        "import WharfNet",
        "public import WharfNet",
        "@_exported public import WharfNet",
        "@preconcurrency import struct WharfNet.Socket",
        "import Foundation",
        "import Glibc",
        "    import WharfNet",
    ])
    func `an import that points up or aside is found`(line: String) {
        let file = SourceFile(path: "Sources/WharfHTTP/A.swift", text: "// A\n\(line)\nlet a = 1\n")
        let module = line.contains("WharfNet") ? "WharfNet" : String(line.dropFirst(7))
        #expect(
            misplacedImports([file], layers) == [
                Finding(path: file.path, line: 2, what: "WharfHTTP may not import \(module)")
            ])
    }

    @Test(arguments: ["import CZlib", "// import WharfNet", "let a = \"import WharfNet\""])
    func `an import of a lower layer, a comment and a string are not`(line: String) {
        let file = SourceFile(path: "Sources/WharfHTTP/A.swift", text: line)
        #expect(misplacedImports([file], layers) == [])
    }

    @Test func `a target without an entry is found`() {
        let file = SourceFile(path: "Sources/WharfNew/A.swift", text: "let a = 1\n")
        #expect(
            misplacedImports([file], layers) == [
                Finding(path: file.path, line: 1, what: "WharfNew is not in the table of layers")
            ])
    }
}

private func misplacedImports(
    _ files: [SourceFile], _ table: [String: Set<String>]
) -> [Finding] {
    var findings: [Finding] = []
    for file in files where file.path.hasSuffix(".swift") {
        guard let allowed = table[file.target] else {
            let what = "\(file.target) is not in the table of layers"
            findings.append(Finding(path: file.path, line: 1, what: what))
            continue
        }
        for (module, line) in imports(file) where !allowed.contains(module) {
            let what = "\(file.target) may not import \(module)"
            findings.append(Finding(path: file.path, line: line, what: what))
        }
    }
    return findings
}

private func imports(_ file: SourceFile) -> [(module: String, line: Int)] {
    let kinds: Set<Substring> = [
        "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    var found: [(String, Int)] = []
    for (index, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
    {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
        guard let keyword = words.firstIndex(of: "import") else { continue }
        let before = words[..<keyword]
        let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        guard before.allSatisfy({ $0.hasPrefix("@") || modifiers.contains($0) }) else { continue }
        guard let name = words[(keyword + 1)...].first(where: { !kinds.contains($0) }) else {
            continue
        }
        found.append((String(name.prefix { $0 != "." }), index + 1))
    }
    return found
}

/// The targets that depend on themselves, over however many steps.
private func cycles(_ table: [String: Set<String>]) -> [String] {
    table.keys.sorted().filter { start in
        var reached: Set<String> = []
        var open = Array(table[start] ?? [])
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += table[next] ?? [] }
        }
        return reached.contains(start)
    }
}
