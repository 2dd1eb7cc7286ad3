import Testing

@testable import WharfWebDAV

@Suite struct `An XML writer` {
    @Test func `writes what a reader reads`() throws {
        var writer = XMLWriter()
        writer.begin("multistatus")
        writer.start("prop")
        writer.element("displayname", "a & <b> \"c\" ]]> \u{1F600}")
        writer.empty("collection")
        writer.element(XMLName(namespace: "urn:x&y", "y"), text: "z")
        writer.empty(XMLName(namespace: "", "none"))
        writer.empty(.dav("other"))
        writer.end("prop")
        writer.finish("multistatus")
        let root = try XMLReader.read(writer.take())
        #expect(writer.bytes.isEmpty)
        let prop = try #require(root.first(.dav("prop")))
        #expect(
            prop.elements.map(\.name) == [
                .dav("displayname"), .dav("collection"), XMLName(namespace: "urn:x&y", "y"),
                XMLName(namespace: "", "none"), .dav("other"),
            ])
        #expect(prop.elements.map(\.text) == ["a & <b> \"c\" ]]> \u{1F600}", "", "z", "", ""])
    }

    @Test(
        arguments: [
            ([0x61, 0x01, 0x62], "a\u{FFFD}b"), ([0x1B, 0x5B], "\u{FFFD}["),
            ([0xEF, 0xBF, 0xBE], "\u{FFFD}"), ([0xFF], "\u{FFFD}"), ([0x0D, 0x0A], "\r\n"),
            ([0xC3, 0xA4], "ä"), ([0xF0, 0x9F, 0x98, 0x80], "\u{1F600}"), ([0x09], "\t"),
        ] as [([UInt8], String)])
    func `carries what a name has, or says that it can't`(bytes: [UInt8], text: String) throws {
        var writer = XMLWriter()
        writer.begin("a")
        writer.element("b", text: bytes)
        writer.finish("a")
        #expect(try XMLReader.read(writer.take()).text == text)
    }

    @Test func `keeps white space in attributes`() throws {
        var bytes = Array("<a b=\"".utf8)
        XMLText.append("1\n2\t3\r4\"<&".utf8, to: &bytes, isAttribute: true)
        bytes += "\"/>".utf8
        #expect(try XMLReader.read(bytes).attributes.first?.value == "1\n2\t3\r4\"<&")
    }
}

@Suite struct `A fragment of XML` {
    /// The property of a `propertyupdate`, cut out and put into another document.
    private func moved(_ text: String) throws -> (before: XMLElement, after: XMLElement) {
        let root = try XMLReader.read(Array(text.utf8))
        let changes = try #require(try PropertyChange.list(root, named: .dav("propertyupdate")))
        guard case .set(let element, let markup) = changes[0] else {
            throw XMLError.tooMany
        }
        let document = Array("<D:a xmlns:D=\"DAV:\">".utf8) + markup + Array("</D:a>".utf8)
        return (element, try #require(try XMLReader.read(document).elements.first))
    }

    @Test(arguments: [
        "<x:p xmlns:x='urn:x'>text</x:p>",
        "<p xmlns='urn:x'><q a='1'/>mixed <r xmlns=''>&amp;</r></p>", "<p xmlns=''>none</p>",
        "<o:p o:a='1'><D:href>x</D:href></o:p>", "<D:p/>", "<o:p>\u{10000}\u{1F600} &#13;</o:p>",
        "<p xmlns='urn:x' xml:lang='en'/>", "<D:p xmlns:D='urn:not-dav'/>",
    ])
    func `means the same elsewhere`(property: String) throws {
        let (before, after) = try moved(
            "<D:propertyupdate xmlns:D='DAV:' xmlns:o='urn:outer'><D:set><D:prop>\(property)"
                + "</D:prop></D:set></D:propertyupdate>")
        #expect(meaning(after) == meaning(before))
    }

    @Test func `takes along the language and the prefixes in values`() throws {
        let (_, after) = try moved(
            """
            <D:propertyupdate xmlns:D='DAV:' xmlns:s='urn:schema' xmlns:no='urn:unused' xml:lang='fr'>
            <D:set><D:prop><p xmlns='urn:x' type='s:int'>1</p></D:prop></D:set></D:propertyupdate>
            """)
        #expect(after.attributes.contains(XMLAttribute(.language, prefix: "xml", value: "fr")))
        #expect(after.declarations.contains(XMLDeclaration(prefix: "s", namespace: "urn:schema")))
        #expect(!after.declarations.contains { $0.prefix == "no" })
    }

    /// The element without where its namespaces are declared.
    private func meaning(_ element: XMLElement) -> XMLElement {
        var copy = element
        copy.declarations = []
        copy.children = element.children.map { node in
            if case .element(let child) = node { .element(meaning(child)) } else { node }
        }
        return copy
    }
}
