import Testing
import WharfHTTP
import WharfUploadClient
@testable import WharfCommand

@Suite struct UploadOptionTests {
    private func parsed(_ arguments: String...) throws -> UploadOptions {
        guard case .upload(let options) = try Command(["upload"] + arguments) else {
            throw UsageError("not an upload")
        }
        return options
    }

    @Test func `what is said is understood`() throws {
        let options = try parsed(
            "--field", "uploadFile", "-u", "ada:love:lace", "-H", "X-A: b c", "--cacert", "ca.pem",
            "--pin", "aa", "--insecure", "--timeout", "5", "--raw", "http://h/", "a", "b")
        #expect(options.url == "http://h/")
        #expect(options.files == ["a", "b"])
        #expect(options.fieldName == "uploadFile")
        #expect(options.user == "ada:love:lace")
        #expect(options.headers.map(\.description) == ["X-A: b c"])
        #expect(options.authorities == "ca.pem")
        #expect(options.pins == ["aa"])
        #expect(options.isInsecure)
        #expect(options.timeout == 5)
        #expect(options.way == .raw)
    }

    @Test(arguments: [
        ["upload"], ["upload", "http://h/"], ["upload", "h", "f"], ["upload", "ftp://h/", "f"],
        ["upload", "--raw", "--resumable", "http://h/", "f"],
        ["upload", "--timeout", "0", "http://h/", "f"], ["upload", "-H", "x", "http://h/", "f"],
        ["upload", "-H", "a b: c", "http://h/", "f"], ["upload", "-u", ":p", "http://h/", "f"],
        ["upload", "--port", "1", "http://h/", "f"], ["upload", "--field", "", "http://h/", "f"],
    ])
    func `what can't be understood is refused`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(arguments) }
    }

    @Test func `a password is not repeated`() {
        let error = #expect(throws: UsageError.self) {
            try Command(["upload", "ftp://u:secret@h/", "f"])
        }
        #expect(error?.reason.contains("secret") == false)
    }

    @Test func `help fits in eighty columns`() throws {
        #expect(try Command(["upload", "--help"]) == .usageOfUpload)
        #expect(UploadOptions.helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `the bar is no wider than the terminal`() {
        let display = UploadDisplay(name: String(repeating: "name", count: 20))
        for width in [1, 10, 20, 40, 80, 200] {
            for sent in [0, 50, 100] as [Int64] {
                let bar = display.bar(
                    .init(
                        sentCount: sent, totalCount: 100, bytesPerSecond: 1_234_567,
                        timeLeft: .seconds(3661)), width: width)
                #expect(bar.count < max(width, 1) || bar.isEmpty, "\(bar)")
            }
        }
        #expect(UploadDisplay.printable("a\u{1B}[2Jb\nc") == "a?[2Jb?c")
        #expect(UploadDisplay.size(999) == "999 B")
        #expect(UploadDisplay.size(1_500_000) == "1.5 MB")
    }
}
