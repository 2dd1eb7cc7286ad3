import Testing
import WharfCrypto

@testable import WharfServer

@Suite struct `A folder page` {
    private func page(_ items: [FolderListing.Item], folder: [[UInt8]] = []) -> String {
        FolderPage(rootTitle: "Root & all", folder: folder, listing: FolderListing(items: items))
            .html
    }

    private func item(_ name: String, isFolder: Bool = false, size: Int64 = 0) -> FolderListing.Item
    {
        FolderListing.Item(
            name: Array(name.utf8), isFolder: isFolder, size: size,
            modificationSeconds: 784_111_777)
    }

    @Test func `lets through its own style and nothing else`() {
        let digest = Hash.digest(.sha256, of: Array(FolderPageStyle.text.utf8))
        #expect(FolderPageStyle.hash == "sha256-\(base64(digest))")
        #expect(page([]).contains("<style>\(FolderPageStyle.text)</style>"))
        #expect(
            FolderPage.contentSecurityPolicy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(!FolderPage.contentSecurityPolicy.contains("unsafe"))
    }

    @Test(
        arguments: [
            ("plain.txt", "plain.txt", "plain.txt"),
            ("<b>&\"'", "%3Cb%3E%26%22%27", "&lt;b&gt;&amp;&quot;&#39;"),
            ("a b", "a%20b", "a b"),
            ("javascript:alert(1)", "javascript%3Aalert(1)", "javascript:alert(1)"),
            ("?q#f", "%3Fq%23f", "?q#f"), ("100%", "100%25", "100%"),
            ("new\nline", "new%0Aline", "new\u{FFFD}line"), ("ü", "%C3%BC", "ü"),
            ("a\u{202E}gpj.exe", "a%E2%80%AEgpj.exe", "a\u{FFFD}gpj.exe"),
            ("a\\b", "a%5Cb", "a\\b"),
        ])
    func `writes a name so that it can do no harm`(_ name: String, _ href: String, _ text: String) {
        #expect(page([item(name)]).contains("<td><a href=\"\(href)\">\(text)</a></td>"))
        #expect(
            page([item(name, isFolder: true)]).contains("<td><a href=\"\(href)/\">\(text)</a></td>")
        )
        #expect(page([], folder: [Array(name.utf8)]).contains("<span>\(text)</span>"))
    }

    @Test func `keeps the bytes of a name that is no UTF-8`() {
        let item = FolderListing.Item(
            name: [0x61, 0xFF], isFolder: false, size: 1, modificationSeconds: 0)
        #expect(page([item]).contains("<a href=\"a%FF\">a\u{FFFD}</a>"))
    }

    @Test func `leads up`() {
        let html = page([], folder: [Array("a".utf8), Array("b".utf8)])
        #expect(
            html.contains("<a href=\"../../\">Root &amp; all</a> <i>/</i> <a href=\"../\">a</a>"))
        #expect(html.contains("<a href=\"../\">Parent folder</a>"))
        #expect(html.contains("<title>b</title>"))
        #expect(!page([]).contains("Parent folder"))
    }

    @Test(arguments: [
        ([], "Nothing in here."), ([false], "1 file"), ([true], "1 folder"),
        ([true, true, false, false, false], "2 folders, 3 files"),
    ])
    func `counts what is there`(_ kinds: [Bool], _ expected: String) {
        #expect(page(kinds.map { item("a", isFolder: $0) }).contains("<p>\(expected)</p>"))
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
            (9949, "9.9 kB"), (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
            (3_400_000_000, "3.4 GB"), (.max, "9.2 EB"), (-1, "0 B"),
        ] as [(Int64, String)])
    func `tells a size`(_ count: Int64, _ expected: String) {
        #expect(FolderPage.size(count) == expected)
    }

    @Test func `tells a date to the minute`() {
        #expect(page([item("a")]).contains("<td>06 Nov 1994 08:49</td>"))
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[value >> (18 - 6 * index) & 63] : "=")
            }
        }
        return text
    }
}
