import Testing

@testable import WharfCommand

@Suite struct `wharf blip` {
    private func options(_ arguments: String...) throws -> BLIPCommandOptions? {
        guard case .blip(let options) = try Command(["blip"] + arguments) else { return nil }
        return options
    }

    @Test func `call knows what to send`() throws {
        let call = try #require(
            try options(
                "call", "ws://a/b", "echo", "--property", "a=b=c", "--property=d=", "--body", "x",
                "--compressed", "--urgent", "--no-reply", "--protocol", "P", "--user", "u:p"))
        #expect(call.task == .call(url: "ws://a/b", profile: "echo"))
        #expect(call.properties == [.init(name: "a", value: "b=c"), .init(name: "d", value: "")])
        #expect(call.body == "x" && call.isCompressed && call.isUrgent && call.wantsNoReply)
        #expect(call.applicationProtocol == "P" && call.user == "u:p")
    }

    @Test func `listen knows where`() throws {
        let listen = try #require(try options("listen", "-p", "0", "--path", "/x", "--tcp"))
        #expect(listen.task == .listen && listen.port == 0 && listen.path == "/x")
        #expect(listen.isFirst)
        #expect(try options("listen")?.port == 8080)
    }

    @Test(arguments: [
        [], ["sing"], ["call"], ["call", "ws://a"], ["call", "a", "b", "c"], ["listen", "a"],
        ["call", "a", "b", "--property", "=x"], ["call", "a", "b", "--property", "x"],
        ["call", "a", "b", "--port", "1"], ["call", "a", "b", "--user", "u"],
        ["listen", "--port", "x"], ["listen", "--path", "x"], ["listen", "--body", "x"],
    ])
    func `refuses what makes no sense`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(["blip"] + arguments) }
    }

    @Test func `has help of its own`() throws {
        #expect(try Command(["blip", "--help"]) == .usageOfBLIP)
        for line in BLIPCommandOptions.helpText.split(separator: "\n") {
            #expect(line.count <= 82)
        }
    }
}
