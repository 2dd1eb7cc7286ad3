import Testing

@testable import WharfWebDAV

@Suite struct `A body of XML` {
    private func read(_ text: String) throws -> XMLElement {
        try XMLReader.read(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("<D:allprop/>", .all(including: [])),
            (
                "<D:allprop/><D:include><D:a/><b/></D:include>",
                .all(including: [.dav("a"), XMLName(namespace: "", "b")])
            ),
            ("<D:propname/>", .names),
            (
                "<D:prop><D:a/><x:b xmlns:x='u'/><D:a/></D:prop><unknown/>",
                .properties([.dav("a"), XMLName(namespace: "u", "b")])
            ),
            ("<D:prop/>", .properties([])),
            ("", nil), ("<D:prop/><D:propname/>", nil), ("<prop/>", nil),
        ] as [(String, PropfindBody?)])
    func `asks for properties`(inner: String, body: PropfindBody?) throws {
        let root = try read("<D:propfind xmlns:D='DAV:'>\(inner)</D:propfind>")
        #expect(PropfindBody(root) == body)
    }

    @Test func `asks for nothing if it is another`() throws {
        #expect(PropfindBody(try read("<propfind xmlns='urn:x'><allprop/></propfind>")) == nil)
    }

    @Test func `changes properties in its order`() throws {
        let root = try read(
            """
            <propertyupdate xmlns='DAV:'><set><prop><a/><b xmlns=''>1</b></prop></set>
            <other/><remove><prop><a/></prop></remove></propertyupdate>
            """)
        let changes = try #require(try PropertyChange.list(root, named: .dav("propertyupdate")))
        #expect(
            changes.map(\.name) == [.dav("a"), XMLName(namespace: "", "b"), .dav("a")])
        #expect(changes[2] == .remove(.dav("a")))
        guard case .set(_, let markup) = changes[1] else { throw XMLError.tooMany }
        #expect(String(decoding: markup, as: UTF8.self) == "<b xmlns=\"\">1</b>")
        #expect(try PropertyChange.list(root, named: .dav("mkcol")) == nil)
    }

    @Test(
        arguments: [
            (
                "<lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>me</owner>",
                LockBody(isExclusive: true, owner: "<owner xmlns=\"DAV:\">me</owner>")
            ),
            (
                "<lockscope><shared/></lockscope><locktype><write/></locktype>",
                LockBody(isExclusive: false, owner: "")
            ),
            ("<lockscope/><locktype><write/></locktype>", nil),
            ("<lockscope><other/></lockscope><locktype><write/></locktype>", nil),
            ("<lockscope><exclusive/></lockscope>", nil),
            ("<lockscope><exclusive/></lockscope><locktype><read/></locktype>", nil),
        ] as [(String, LockBody?)])
    func `asks for a lock`(inner: String, body: LockBody?) throws {
        #expect(LockBody(try read("<lockinfo xmlns='DAV:'>\(inner)</lockinfo>")) == body)
    }
}

extension LockBody {
    fileprivate init(isExclusive: Bool, owner: String) {
        self.init(
            try! XMLReader.read(
                Array(
                    """
                    <lockinfo xmlns='DAV:'><lockscope><shared/></lockscope><locktype><write/>\
                    </locktype></lockinfo>
                    """.utf8)))!
        self.isExclusive = isExclusive
        self.owner = Array(owner.utf8)
    }
}
