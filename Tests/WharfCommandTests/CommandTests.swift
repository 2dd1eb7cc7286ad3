import Testing
import WharfNet
import WharfServer

@testable import WharfCommand

@Suite struct `The command line` {
    private func serve(_ arguments: String...) throws -> ServeOptions {
        guard case .serve(let options) = try Command(["serve"] + arguments) else {
            throw UsageError("not serve")
        }
        return options
    }

    @Test func `serves this folder on loopback by default`() throws {
        let options = try serve()
        #expect(options.folder == ".")
        #expect(options.addresses == [.loopback(port: 8080), .loopback6(port: 8080)])
        #expect(
            !options.folderOptions.showsHidden && options.folderOptions.indexName == nil
                && options.accessLog == nil)
        let configuration = options.configuration
        #expect(configuration.idleTimeout == .seconds(60))
        #expect(configuration.connectionMax == 10_000)
        #expect(configuration.connectionsPerAddressMax == 256)
        #expect(configuration.log.level == .notice)
    }

    @Test func `takes options before and after the folder`() throws {
        let options = try serve("--port", "0", "some dir", "--hidden", "--index=index.html")
        #expect(options.folder == "some dir")
        #expect(options.port == 0)
        #expect(options.folderOptions.showsHidden)
        #expect(options.folderOptions.indexName == "index.html")
        #expect(try serve("--", "--port").folder == "--port")
        #expect(try serve("--title", "My things").folderOptions.title == "My things")
        #expect(options.folderOptions.title == nil)
        #expect(try serve("-p", "9", "dir").port == 9)
        #expect(try serve("dir", "-p9").port == 9)
    }

    @Test func `passes limits on`() throws {
        let configuration = try serve(
            "--idle-timeout", "5", "--max-connections", "7",
            "--max-connections-per-address", "0", "--log-level", "debug"
        ).configuration
        #expect(configuration.idleTimeout == .seconds(5))
        #expect(configuration.connectionMax == 7)
        #expect(configuration.connectionsPerAddressMax == 0)
        #expect(configuration.log.level == .debug)
    }

    @Test(
        arguments: [
            (["--access-log"], .info), (["--access-log", "--log-level", "error"], .info),
            (["--access-log", "--log-level", "debug"], .debug), (["--log-level=error"], .error),
        ] as [([String], HTTPLog.Level)])
    func `logs what is asked for`(_ arguments: [String], _ level: HTTPLog.Level) throws {
        let scanned = try OptionScanner.scan(arguments, for: ServeOptions.names)
        #expect(try ServeOptions(scanned).configuration.log.level == level)
    }

    @Test func `has a format for the log of requests`() throws {
        for format in AccessLog.Format.allCases {
            let options = try serve("--access-log=\(format.rawValue)", "dir")
            #expect(options.accessLog == format && options.folder == "dir")
            let isForPeople = format == .plain
            #expect((options.configuration.accessLog == nil) == isForPeople)
            #expect(options.configuration.log.level == (isForPeople ? .info : .notice))
            #expect(options.configuration.accessLog.map { $0.format == format } ?? isForPeople)
        }
        // A value has to be joined to it: what follows is the folder.
        let options = try serve("--access-log", "json")
        #expect(options.accessLog == .plain && options.folder == "json")
        #expect(throws: UsageError.self) { try serve("--access-log=xml") }
        #expect(try serve("--record", "dir").recordingFolder == "dir")
    }

    @Test(
        arguments: [
            (["--bind", "127.0.0.2"], [.ipv4(0x7F00_0002, port: 80)]),
            (["--bind", "::1"], [.loopback6(port: 80)]),
            (["--bind", "localhost"], [.loopback(port: 80), .loopback6(port: 80)]),
            (["--bind", "[::1]"], [.loopback6(port: 80)]),
            (["--bind", "unix:/run/w"], [.unix(path: "/run/w")]),
            (
                ["--bind", "127.0.0.1", "--bind=unix:w"],
                [.loopback(port: 80), .unix(path: "w")]
            ),
            (
                ["--lan"],
                [.ipv4(0, port: 80), .ipv6(high: 0, low: 0, scope: 0, port: 80)]
            ),
        ] as [([String], [SocketAddress])])
    func `listens where it is told to`(_ arguments: [String], _ expected: [SocketAddress]) throws {
        let scanned = try OptionScanner.scan(["--port=80"] + arguments, for: ServeOptions.names)
        #expect(try ServeOptions(scanned).addresses == expected)
    }

    @Test(arguments: [
        ["serv"], ["serve", "-p"], ["serve", "-p", "x"], ["-p", "1"], ["serve", "a", "b"],
        ["serve", "--unknown"], ["--unknown"], ["serve", "-x"],
        ["serve", "--port"], ["serve", "--port", "65536"], ["serve", "--port=-1"],
        ["serve", "--port", "80x"], ["serve", "--port="], ["serve", "--bind", "example.org"],
        ["serve", "--bind", "unix:"], ["serve", "--index", "a/b"], ["serve", "--index", ".."],
        ["serve", "--index="], ["serve", "--idle-timeout", "0"], ["serve", "--lan=yes"],
        ["serve", "--max-connections", "0"], ["serve", "--log-level", "loud"],
        ["serve", "--max-connections-per-address", "9999999999999999999999"],
    ])
    func `refuses what it can't understand`(_ arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(arguments) }
    }

    @Test(
        arguments: [
            ([], .usage), (["help"], .help), (["help", "serve"], .help),
            (["--help"], .help), (["-h"], .help), (["serve", "--help"], .help),
            (["serve", "-h", "--port", "1"], .help), (["--version"], .version),
            (["serve", "dir", "--version"], .version),
        ] as [([String], Command)])
    func `tells about itself`(_ arguments: [String], _ expected: Command) throws {
        #expect(try Command(arguments) == expected)
    }

    @Test func `says whom its limits exempt and how it ends`() {
        #expect(Command.helpText.contains("on this machine are exempt"))
        #expect(Command.helpText.contains("a second signal ends it at once"))
    }

    @Test func `names the option that is wrong`() {
        #expect(throws: UsageError("-p needs a value")) { try Command(["serve", "-p"]) }
        #expect(throws: UsageError("--frobnicate: no such option")) {
            try Command(["serve", "--frobnicate", "dir"])
        }
        #expect(throws: UsageError("--port needs a value")) { try Command(["serve", "--port"]) }
        #expect(throws: UsageError("--port: x is no number from 0 to 65535")) {
            try Command(["serve", "--port", "x"])
        }
    }

    @Test func `says in its help what it can do, and no more`() {
        for name in ServeOptions.names {
            #expect(Command.helpText.contains("--\(name.text)"))
        }
        let options = Command.helpText.matches(of: /--([a-z-]+)/).map { String($0.1) }
        let known =
            (ServeOptions.names + HashPassword.names).map(\.text.description) + ["help", "version"]
        #expect(Set(options) == Set(known))
        #expect(Command.helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `prints a line for each URL that clients can use`() {
        #expect(
            Serve.lines(folder: "d", ["http://127.0.0.1/", "unix:/w"])
                == ["Serving d at http://127.0.0.1/\n", "Serving d at unix:/w\n"])
        #expect(
            Serve.lines(folder: "a\n\u{1B}[31m\u{2028}\u{85}é\u{1F600}", ["unix:w\rx"])
                == ["Serving a\\u{a}\\u{1b}[31m\\u{2028}\\u{85}é\u{1F600} at unix:w\\u{d}x\n"])
    }
}
