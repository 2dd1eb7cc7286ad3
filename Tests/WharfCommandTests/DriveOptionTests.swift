import TestSupport
import Testing
import WharfServer

@testable import WharfCommand

@Suite struct `The options of the drive` {
    @Test(
        arguments: [
            ([], DriveOptions()),
            (["--no-webdav"], DriveOptions(isServed: false, stateFolder: nil)),
            (["--state", "/s"], DriveOptions(isServed: true, stateFolder: "/s")),
            (["--base-path", "/a%20b/"], DriveOptions(basePath: "/a%20b")),
            (["--base-path", "/"], DriveOptions(basePath: "")),
        ] as [([String], DriveOptions)])
    func `are understood`(arguments: [String], options: DriveOptions) throws {
        guard case .serve(let serve) = try Command(["serve"] + arguments) else {
            throw UsageError("no serve")
        }
        #expect(serve.drive == options)
    }

    @Test(arguments: [
        ["--state", ""], ["--state"], ["--no-webdav", "--state", "/s"], ["--upload-lifetime", "5"],
        ["--writable", "--upload-lifetime", "0"], ["--writable", "--upload-lifetime", "a"],
        ["--base-path", "a"],
        ["--base-path", "/a/../b"], ["--no-webdav", "--base-path", "/a"],
    ])
    func `are refused`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(["serve"] + arguments) }
    }

    @Test func `keep the state for one program at a time`() throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let share = try Share(folder: folder.path, isWritable: true)
        let options = DriveOptions(isServed: true, stateFolder: state.path)
        let first = try FolderOptions().handler(for: share, options)
        #expect("\(first.allowedMethods)".contains("LOCK"))
        do {
            _ = try FolderOptions().handler(for: share, options)
            Issue.record("two have it")
        } catch {
            #expect(
                error.reason == "can't keep the state in \(state.path): another process uses it")
        }
        let missing = DriveOptions(isServed: true, stateFolder: state.path + "/none")
        #expect(throws: Failure.self) {
            try FolderOptions().handler(for: share, missing)
        }
        let apart = DriveOptions(isServed: false, stateFolder: nil)
        let none = try FolderOptions().handler(for: share, apart)
        #expect(!"\(none.allowedMethods)".contains("LOCK"))
    }
}
