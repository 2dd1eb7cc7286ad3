import Testing
import WharfHTTP

@Suite struct `fields of tus` {
    @Test func `have metadata`() {
        let metadata = TusMetadata(parsing: "filename d29ybGQudHh0, empty,other aGk")
        #expect(metadata?.text("filename") == "world.txt")
        #expect(metadata?.values["empty"] == [])
        #expect(metadata?.text("empty", "other") == "hi")
        #expect(TusMetadata(parsing: "")?.values.isEmpty == true)
        #expect(TusMetadata(parsing: " ")?.values.isEmpty == true)
    }

    @Test(arguments: ["a b c", ",", "a,", "a =", "a ***", "a b,a c", "\u{FC} aGk", "a\taGk"])
    func `have no metadata that is malformed`(value: String) {
        #expect(TusMetadata(parsing: value) == nil)
    }

    @Test func `have bounded metadata`() {
        func pairs(_ count: Int) -> String {
            (0..<count).map { "k\($0)" }.joined(separator: ",")
        }
        #expect(TusMetadata(parsing: pairs(64)) != nil)
        #expect(TusMetadata(parsing: pairs(65)) == nil)
        let long = "a " + String(repeating: "A", count: 16 * 1024 - 2)
        #expect(TusMetadata(parsing: String(long.dropLast(2))) != nil)
        #expect(TusMetadata(parsing: long + "A") == nil)
    }

    @Test(arguments: [
        ("partial", TusConcatenation.partial), ("final;/a /b", .final(["/a", "/b"])),
        ("final;/a", .final(["/a"])), ("final;", nil), ("final", nil), ("Partial", nil), ("", nil),
    ])
    func `have concatenations`(value: String, concatenation: TusConcatenation?) {
        #expect(TusConcatenation(parsing: value) == concatenation)
    }

    @Test func `have bounded concatenations`() {
        func final(_ count: Int) -> String {
            "final;" + Array(repeating: "/a", count: count).joined(separator: " ")
        }
        #expect(TusConcatenation(parsing: final(1000)) != nil)
        #expect(TusConcatenation(parsing: final(1001)) == nil)
    }

    @Test(arguments: [
        ("sha1 aGk=", "sha1"), ("sha256 aGk", "sha256"), ("sha1", nil), ("sha1 ", nil),
        (" aGk=", nil), ("sha1 aGk= ", nil), ("sha1 a*", nil), ("", nil),
    ])
    func `have checksums`(value: String, algorithm: String?) {
        #expect(TusChecksum(parsing: value)?.algorithm == algorithm)
    }

    @Test(
        arguments: [
            ("0", 0), ("12", 12), ("999999999999999", 999_999_999_999_999),
            ("1000000000000000", nil),
            ("-1", nil), ("+1", nil), ("", nil), ("1 ", nil), ("0x1", nil), ("\u{661}", nil),
        ] as [(String, Int64?)])
    func `have numbers`(value: String, number: Int64?) {
        #expect(UploadCount.parse(value) == number)
    }
}
