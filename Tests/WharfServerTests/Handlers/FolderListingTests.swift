import Testing

@testable import WharfNet
@testable import WharfServer

@Suite struct `A folder listing` {
    @Test(arguments: [
        ["a", "B", "c"], ["a1", "a2", "a10", "a11", "a100"], ["a", "a1", "aa"],
        ["IMG_9.jpg", "img_10.jpg"], ["1", "2", "010", "11"], ["a1b2", "a1b10", "a2b1"],
        ["x9999999999999999999998", "x9999999999999999999999", "x10000000000000000000000"],
        ["", "0", "a"], ["Äpfel", "äpfel2"],
    ])
    func `has the order that people expect`(_ names: [String]) {
        let expected = names.map { NaturalOrder(Array($0.utf8)) }
        #expect(expected.reversed().sorted() == expected)
    }

    @Test func `has one order for names that read alike`() {
        let names = ["a1", "A01", "a01", "A1", "a001"].map { NaturalOrder(Array($0.utf8)) }
        let sorted = names.sorted()
        for permutation in [names.reversed(), names.shuffled(), names.shuffled()] {
            #expect(permutation.sorted() == sorted)
        }
    }

    @Test func `has folders first`() {
        let listing = FolderListing(
            items: [("b", false), ("z", true), ("a", false), ("y", true)].map {
                FolderListing.Item(
                    name: Array($0.0.utf8), isFolder: $0.1, size: 0, modificationSeconds: 0)
            })
        let names = listing.sorted().items.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(names == ["y", "z", "a", "b"])
    }

    private func entry(_ name: String, _ kind: FileStatus.Kind = .file) -> FolderEntry {
        FolderEntry(
            name: Array(name.utf8),
            status: FileStatus(kind: kind, size: 1, modificationTime: 0, inode: 1, device: 1))
    }

    private func names(_ listing: FolderListing) -> [String] {
        listing.items.map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test(arguments: [(true, ["a", ".b", "e"]), (false, ["a", "e"])])
    func `has what a client may see`(_ showsHidden: Bool, _ expected: [String]) {
        var listing = FolderListing()
        listing.add(
            [
                entry("a"), entry(".b"), entry("c", .symbolicLink), entry("d", .other),
                entry("e", .folder),
            ], showsHidden: showsHidden, itemCountMax: 3)
        #expect(names(listing) == expected)
        #expect(!listing.isCut)
    }

    @Test func `is cut when there is too much`() {
        var listing = FolderListing()
        listing.add([entry("a"), entry("b")], showsHidden: false, itemCountMax: 2)
        #expect(!listing.isCut)
        listing.add([entry(".c"), entry("d", .other)], showsHidden: false, itemCountMax: 2)
        #expect(!listing.isCut)
        listing.add([entry("e"), entry("f")], showsHidden: false, itemCountMax: 2)
        #expect(listing.isCut)
        #expect(names(listing) == ["a", "b"])
        let page = FolderPage(rootTitle: "/", folder: [], listing: listing).html
        #expect(page.contains("There are more than the 2 entries above."))
    }
}
