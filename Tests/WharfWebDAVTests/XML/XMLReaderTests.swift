import Testing

@testable import WharfWebDAV

@Suite struct `An XML reader` {
    private static let sample = """
        <?xml version="1.0" encoding="utf-8"?>
        <a:root xmlns:a="urn:one" xmlns="urn:two" plain="1 &amp; 2" a:known='&#x41;"'>
         <child xml:lang="de">te<![CDATA[<x>]]>xt &lt;&#x1F600;</child><!-- no --><?no way?>
         <a:empty/><none xmlns=""/>
        </a:root>
        """

    @Test func `keeps names, prefixes, attributes and text`() throws {
        let root = try XMLReader.read(Array(Self.sample.utf8))
        #expect(root.name == XMLName(namespace: "urn:one", "root"))
        #expect(root.prefix == "a")
        #expect(
            root.declarations == [
                XMLDeclaration(prefix: "a", namespace: "urn:one"),
                XMLDeclaration(prefix: "", namespace: "urn:two"),
            ])
        #expect(
            root.attributes == [
                XMLAttribute(XMLName(namespace: "", "plain"), value: "1 & 2"),
                XMLAttribute(XMLName(namespace: "urn:one", "known"), prefix: "a", value: "A\""),
            ])
        let elements = root.elements
        #expect(
            elements.map(\.name) == [
                XMLName(namespace: "urn:two", "child"), XMLName(namespace: "urn:one", "empty"),
                XMLName(namespace: "", "none"),
            ])
        #expect(elements[0].children == [.text("te<x>xt <\u{1F600}")])
        #expect(elements[0].attributes == [XMLAttribute(.language, prefix: "xml", value: "de")])
        #expect(root.first(XMLName(namespace: "urn:one", "empty"))?.children == [])
    }

    @Test func `gives the same tree wherever the bytes are cut`() throws {
        let bytes = Array(Self.sample.utf8)
        let whole = try XMLReader.read(bytes)
        for cut in 1..<bytes.count {
            let reader = XMLReader()
            try reader.feed(Array(bytes[..<cut]))
            try reader.feed(Array(bytes[cut...]))
            #expect(try reader.finish() == whole)
        }
    }

    @Test func `refuses every document that is cut off`() {
        let bytes = Array(Self.sample.utf8)
        for count in 0..<bytes.count {
            #expect(throws: XMLError.self) { try XMLReader.read(Array(bytes[..<count])) }
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<?xml version='1.0'?><!DOCTYPE a SYSTEM 'http://127.0.0.1:9/x'><a/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><a/>", "<!DOCTYPE",
    ])
    func `refuses a document type in every encoding`(text: String) {
        let (little, big) = (utf16(text, isBig: false), utf16(text, isBig: true))
        for bytes in [Array(text.utf8), little, big] {
            let wanted: XMLError? = text == "<!DOCTYPE" ? nil : .documentType
            let reader = XMLReader()
            do throws(XMLError) {
                for byte in bytes { try reader.feed([byte]) }
                _ = try reader.finish()
                Issue.record("it was read")
            } catch {
                #expect(wanted == nil || error == wanted)
            }
        }
    }

    @Test func `reads UTF-16`() throws {
        let bytes = utf16("<a>\u{1F600}ä</a>", isBig: true)
        #expect(try XMLReader.read(bytes).text == "\u{1F600}ä")
    }

    @Test(arguments: [
        "", " ", "text", "<a>", "<a></b>", "<a/><b/>", "<a b/>", "<a b='1' b='2'/>", "<a>&b;</a>",
        "<p:a/>", "<a p:b='1'/>", "<a xmlns:p=''/>", "<a xmlns:xml='urn:x'/>",
        "<a:b:c xmlns:a='x'/>",
        "<a xmlns:p='x' xmlns:q='x' p:b='' q:b=''/>", "<a>\u{0}</a>", "<a>\u{1}</a>", "<a>]]></a>",
        "<a>&#0;</a>", "<a>&#xD800;</a>",
    ])
    func `refuses what is not well-formed, with its namespaces`(text: String) {
        #expect(throws: XMLError.self) { try XMLReader.read(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E],
            // A half of a surrogate pair.
            [0xFF, 0xFE, 0x3C, 0, 0x61, 0, 0x3E, 0, 0, 0xD8, 0x3C, 0, 0x2F, 0, 0x61, 0, 0x3E, 0],
        ] as [[UInt8]])
    func `refuses bytes that are no text`(bytes: [UInt8]) {
        #expect(throws: XMLError.self) { try XMLReader.read(bytes) }
    }

    @Test func `is final in its errors`() {
        let reader = XMLReader()
        #expect(throws: XMLError.documentType) { try reader.feed(Array("<!DOCTYPE a>".utf8)) }
        #expect(throws: XMLError.documentType) { try reader.feed(Array("<a/>".utf8)) }
        #expect(throws: XMLError.documentType) { try reader.finish() }
    }

    @Test(arguments: [(5, true), (6, false)])
    func `bounds the depth`(depth: Int, isRead: Bool) {
        let text =
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        var limits = XMLLimits()
        limits.depthMax = 5
        #expect(outcome(text, limits) == (isRead ? nil : .tooDeep))
    }

    @Test(arguments: [
        ("<a b='' xmlns:c='d'>e<f/></a>", true), ("<a b='' xmlns:c='d'>e<f/>g</a>", false),
    ])
    func `bounds the nodes`(text: String, isRead: Bool) {
        var limits = XMLLimits()
        limits.nodeCountMax = 5
        #expect(outcome(text, limits) == (isRead ? nil : .tooMany))
    }

    @Test(arguments: [(10, true), (11, false)])
    func `bounds names`(count: Int, isRead: Bool) {
        let name = String(repeating: "n", count: count)
        var limits = XMLLimits()
        limits.nameByteCountMax = 10
        for text in ["<\(name)/>", "<a \(name)=''/>", "<a xmlns='\(name)'/>"] {
            #expect(outcome(text, limits) == (isRead ? nil : .tooLarge))
        }
    }

    @Test(arguments: [(8, true), (9, false)])
    func `bounds the bytes`(count: Int, isRead: Bool) {
        var limits = XMLLimits()
        limits.byteCountMax = 8
        let text = "<a>" + String(repeating: "x", count: count - 7) + "</a>"
        #expect(outcome(text, limits) == (isRead ? nil : .tooLarge))
    }

    @Test(arguments: [(3, true), (4, false)])
    func `bounds what is declared at one place`(count: Int, isRead: Bool) {
        var limits = XMLLimits()
        limits.declarationCountMax = 4
        let declared = (0..<count).map { " xmlns:n\($0)='u'" }.joined()
        // What ended before counts no more.
        let text = "<a xmlns='u'>" + String(repeating: "<b\(declared)/>", count: 3) + "</a>"
        #expect(outcome(text, limits) == (isRead ? nil : .tooMany))
    }

    @Test(arguments: ["<a b='%'/>", "<a><!--%--></a>", "<a><?p %?></a>", "<a xmlns:b='%'/>"])
    func `bounds what is read whole`(text: String) {
        for (count, isRead) in [(8 << 10, true), (64 << 10, false)] {
            let long = text.replacing("%", with: String(repeating: "x", count: count))
            var limits = XMLLimits()
            limits.nameByteCountMax = 1 << 20
            #expect(outcome(long, limits) == (isRead ? nil : .tooLarge))
        }
    }

    @Test func `takes text of any length within the whole's bound`() throws {
        let text = String(repeating: "x&amp;", count: 100_000)
        let long = "<a>\(text)<![CDATA[\(text)]]></a>"
        var limits = XMLLimits()
        limits.byteCountMax = 2 << 20
        let root = try XMLReader.read(Array(long.utf8), limits: limits)
        #expect(root.text.utf8.count == 800_000)
    }

    private func outcome(_ text: String, _ limits: XMLLimits) -> XMLError? {
        do throws(XMLError) {
            _ = try XMLReader.read(Array(text.utf8), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    /// The text with a byte order mark.
    private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for unit in ("\u{FEFF}" + text).utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            bytes += isBig ? [high, low] : [low, high]
        }
        return bytes
    }
}
