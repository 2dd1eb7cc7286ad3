import TestSupport
import Testing
import WharfNet
import WharfServer
@testable import WharfCommand

@Suite struct `The command line about writing` {
    private func serve(_ arguments: [String]) throws -> ServeOptions {
        guard case .serve(let options) = try Command(["serve"] + arguments) else {
            throw UsageError("no serve")
        }
        return options
    }

    @Test func `is read-only until it is told otherwise`() throws {
        #expect(try !serve([]).isWritable)
        #expect(try serve(["--writable"]).isWritable)
        #expect(try serve(["--writable"]).uploadMax == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("1000", 1000), ("64K", 65_536), ("10m", 10_485_760), ("2G", 2_147_483_648),
            ("1T", 1_099_511_627_776), ("8388607T", 8_388_607 << 40), ("8388608T", nil), ("", nil),
            ("K", nil), ("-1", nil), ("1.5G", nil), ("10 M", nil), ("10MB", nil), ("x", nil),
        ] as [(String, Int64?)])
    func `takes sizes with units`(_ text: String, _ expected: Int64?) throws {
        let arguments = ["--writable", "--max-upload=\(text)"]
        guard let expected else {
            #expect(throws: UsageError.self) { try serve(arguments) }
            return
        }
        #expect(try serve(arguments).uploadMax == expected)
    }

    @Test func `has no bound for what is not taken`() {
        #expect(throws: UsageError.self) { try serve(["--max-upload=1G"]) }
    }

    @Test(
        arguments: [
            (["--writable"], [SocketAddress.loopback(port: 1)], false),
            (["--writable"], [.loopback(port: 1), .ipv4(0, port: 1)], true),
            (["--writable", "--user=a:b"], [.ipv4(0, port: 1)], false),
            ([], [.ipv4(0, port: 1)], false),
        ])
    func `warns when everybody may write`(
        _ arguments: [String], _ addresses: [SocketAddress], _ isWarned: Bool
    ) throws {
        let warning = Serve.writingWarning(try serve(arguments), addresses)
        #expect((warning != nil) == isWarned)
        #expect(warning?.contains("WARNING") != false)
    }

    @Test(
        arguments: [
            (["--extensions", "jpg,.PNG"], ["jpg", "PNG"]), (["--extensions=md"], ["md"]),
            ([], nil),
        ] as [([String], Set<String>?)])
    func `has lists of extensions`(_ arguments: [String], _ expected: Set<String>?) throws {
        #expect(try serve(arguments).folderOptions.extensions == expected)
    }

    @Test(arguments: ["", ",", "a/b", "."])
    func `refuses what is no such list`(_ text: String) {
        #expect(throws: UsageError.self) { try serve(["--extensions", text]) }
    }

    @Test func `has a page unless none is wanted`() throws {
        let folder = try TemporaryFolder()
        let share = try Share(folder: folder.path)
        let page = try serve([]).folderOptions.handler(for: share, DriveOptions())
        #expect("\(page.allowedMethods)".contains("POST"))
        let options = try serve(["--no-ui"])
        let list = try options.folderOptions.handler(for: share, options.drive)
        #expect(!"\(list.allowedMethods)".contains("POST"))
    }
}
