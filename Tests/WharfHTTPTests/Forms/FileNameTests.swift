import Testing
import WharfHTTP

@Suite struct FileNameTests {
    @Test(arguments: [
        ("a.txt", "a.txt"), (" a b ", " a b "), ("naïve 文件 😀.txt", "naïve 文件 😀.txt"),
        ("C:\\Documents and Settings\\file1.txt", "file1.txt"), ("dirA/sub/b.txt", "b.txt"),
        ("/etc/passwd", "passwd"), ("..\\..\\w.txt", "w.txt"), ("../evil.txt", "evil.txt"),
        (": ? % * | \" < > . ; ' @ #.txt", ": ? % * | \" < > . ; ' @ #.txt"),
        ("...", "..."), (".hidden", ".hidden"), ("a..b", "a..b"), ("100%25", "100%25"),
        ("console.txt", "console.txt"), ("com.txt", "com.txt"), ("com10", "com10"),
        ("a/\u{301}b", "\u{301}b"),
    ])
    func `a sound name stays as it is, without its folders`(name: String, safe: String) throws {
        #expect(try FileName.sanitized(name).unicodeScalars.elementsEqual(safe.unicodeScalars))
    }

    @Test(arguments: [
        ("", FileNameError.empty), ("/", .empty), ("a/", .empty), ("a\\", .empty),
        (".", .dots), ("..", .dots), ("a/..", .dots), ("a\\.", .dots),
        ("a\u{0}.txt", .control), ("a\nb", .control), ("\u{7F}", .control), ("\u{85}", .control),
        ("a\u{202E}txt.exe", .control), ("a\u{2066}b", .control),
        ("con", .reserved), ("CON.txt", .reserved), ("nul.tar.gz", .reserved), ("Aux ", .reserved),
        ("com1", .reserved), ("LPT9.x", .reserved), ("com\u{B9}", .reserved),
        ("prn .txt", .reserved), ("CONIN$", .reserved),
    ])
    func `a dangerous name is refused with the reason`(name: String, error: FileNameError) {
        #expect(throws: error) { try FileName.sanitized(name) }
    }

    @Test func `the caller may keep names for itself`() throws {
        let isReserved = { (name: String) in name.hasPrefix(".upload-") }
        #expect(throws: FileNameError.reserved) {
            try FileName.sanitized("x/.upload-1", isReserved: isReserved)
        }
        #expect(throws: FileNameError.reserved) {
            try FileName.sanitizedPath(".upload-1/x", isReserved: isReserved)
        }
        #expect(try FileName.sanitized("upload-1", isReserved: isReserved) == "upload-1")
    }

    @Test(arguments: [
        // 255 bytes fit, and one more does not.
        (String(repeating: "a", count: 255), String(repeating: "a", count: 255)),
        (String(repeating: "a", count: 256), String(repeating: "a", count: 255)),
        (
            String(repeating: "a", count: 300) + ".tar.gz",
            String(repeating: "a", count: 252) + ".gz"
        ),
        (String(repeating: "ü", count: 200) + ".txt", String(repeating: "ü", count: 125) + ".txt"),
        (String(repeating: "👩‍👩‍👧", count: 20) + ".png", String(repeating: "👩‍👩‍👧", count: 13) + ".png"),
        (
            "a. " + String(repeating: "b", count: 300),
            "a. " + String(repeating: "b", count: 252)
        ),
        ("." + String(repeating: "a", count: 300), "." + String(repeating: "a", count: 254)),
    ])
    func `a long name is cut between characters and keeps its extension`(
        name: String, safe: String
    ) throws {
        let result = try FileName.sanitized(name)
        #expect(result == safe)
        #expect(result.utf8.count <= 255)
    }

    @Test func `what cannot be cut is refused`() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 200)
        #expect(throws: FileNameError.tooLong) { try FileName.sanitized(zalgo) }
        #expect(throws: FileNameError.tooLong) {
            try FileName.sanitized("abcd.txt", byteCountMax: 4)
        }
    }

    @Test func `a name is composed`() throws {
        let name = try FileName.sanitized("u\u{308}.txt")
        #expect(name.unicodeScalars.elementsEqual("\u{FC}.txt".unicodeScalars))
    }

    @Test(arguments: [
        ("a.txt", ["a.txt"]), ("dirA/sub/b.txt", ["dirA", "sub", "b.txt"]),
        ("dirA\\sub\\b.txt", ["dirA", "sub", "b.txt"]), ("C:", ["C:"]),
    ])
    func `a relative path is taken apart`(path: String, parts: [String]) throws {
        #expect(try FileName.sanitizedPath(path) == parts)
    }

    @Test(arguments: [
        ("", FileNameError.empty), ("a//b", .empty), ("a/", .empty), ("/a", .absolute),
        ("\\a", .absolute), ("\\\\server\\a", .absolute), ("C:\\a", .absolute), ("c:/a", .absolute),
        ("../a", .dots), ("a/../b", .dots), ("a/./b", .dots), ("a\\..\\b", .dots),
        ("a/con/b", .reserved), ("a\u{0}/b", .control),
    ])
    func `a path that leaves its folder is refused`(path: String, error: FileNameError) {
        #expect(throws: error) { try FileName.sanitizedPath(path) }
    }

    @Test(arguments: [(64, true), (65, false)])
    func `a path has so many parts at most`(count: Int, passes: Bool) {
        let path = Array(repeating: "a", count: count).joined(separator: "/")
        #expect(((try? FileName.sanitizedPath(path)) != nil) == passes)
    }
}
