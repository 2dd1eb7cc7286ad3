import Testing
import WharfHTTP

@testable import WharfWebDAV

@Suite struct `A resource path` {
    @Test func `is one for each resource`() {
        #expect(RequestPath("/a/b%20c/").map(ResourcePath.init) == path("a/b c"))
        #expect(RequestPath("/").map(ResourcePath.init) == .root)
    }

    @Test func `knows what lies around it`() {
        #expect(path("a/b").parent == path("a"))
        #expect(path("a").parent == .root)
        #expect(ResourcePath.root.parent == nil)
        #expect(path("a/b/c").ancestors == [path("a/b"), path("a"), .root])
        #expect(Array(path("a/b").name) == Array("b".utf8))
        #expect(ResourcePath.root.appending("a".utf8).appending("b".utf8) == path("a/b"))
    }

    @Test(arguments: [
        ("a/b", "a", true), ("a", "a", false), ("ab", "a", false), ("a", "", true), ("", "", false),
        ("a", "a/b", false),
    ])
    func `knows what it lies in`(inner: String, outer: String, isBelow: Bool) {
        #expect(path(inner).isBelow(path(outer)) == isBelow)
        #expect(path(inner).isWithin(path(outer)) == (isBelow || inner == outer))
    }

    @Test func `is sent with a slash if it is a folder's`() {
        #expect(path("a/b c%").href(isFolder: false) == "/a/b%20c%25")
        #expect(path("a").href(isFolder: true) == "/a/")
        #expect(ResourcePath.root.href(isFolder: true) == "/")
    }
}
