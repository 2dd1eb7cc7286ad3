import Testing

@testable import WharfWebDAV

/// Bodies within all bounds that would keep a careless reader busy.
@Suite(.timeLimit(.minutes(1))) struct `Hostile XML` {
    private static let declared = (0..<100).map { " xmlns:n\($0)='urn:\($0)'" }.joined()

    /// As much of a text as a body has room for.
    private static func much(_ text: String) -> String {
        String(repeating: text, count: 900_000 / text.utf8.count)
    }

    private static let bodies: [(name: String, body: String)] = [
        ("a value full of prefixes", "<x>\(much("n1:a :b n:"))</x>"),
        ("many properties", String(repeating: "<x>n1:a</x>", count: 4_000)),
        ("many steps on one property", String(repeating: "<x/>", count: 9_000)),
        ("many names", (0..<9_000).map { "<x\($0)/>" }.joined()),
        ("many attributes", "<x \((0..<3_000).map { "a\($0)='n7:'" }.joined(separator: " "))/>"),
    ]

    @Test(arguments: bodies) func `is dealt with at once`(name: String, body: String) throws {
        let text =
            "<D:propertyupdate xmlns:D='DAV:'\(Self.declared)><D:set><D:prop>\(body)"
            + "</D:prop></D:set></D:propertyupdate>"
        let time = try ContinuousClock().measure {
            let root = try XMLReader.read(Array(text.utf8))
            let changes = try PropertyChange.list(root, named: .dav("propertyupdate"))
            #expect(PropertyUpdate(try #require(changes)).isPossible)
        }
        // A hundred times what the release build takes.
        #expect(time < .seconds(8))
    }

    @Test func `with as many attributes as there is room for is refused at once`() {
        let attributes = (0..<100_000).map { "a\($0)=''" }.joined(separator: " ")
        let time = ContinuousClock().measure {
            #expect(throws: XMLError.tooLarge) {
                var limits = XMLLimits()
                limits.byteCountMax = 2 << 20
                _ = try XMLReader.read(Array("<a \(attributes)/>".utf8), limits: limits)
            }
        }
        #expect(time < .seconds(2))
    }
}
