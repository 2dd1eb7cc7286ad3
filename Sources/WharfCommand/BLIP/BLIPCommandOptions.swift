import WharfBLIP

/// What `wharf blip` is asked to do.
struct BLIPCommandOptions: Equatable {
    enum Task: Equatable {
        /// To send one request, and print the reply.
        case call(url: String, profile: String)
        /// To print the requests that come.
        case listen
    }

    var task = Task.listen
    /// `--property NAME=VALUE`, in their order.
    var properties: [Property] = []
    /// `--body`: sent as it is; `nil`: standard input.
    var body: String?
    var isCompressed = false
    var isUrgent = false
    var wantsNoReply = false
    /// `--print-properties`: of the reply, too.
    var printsProperties = false
    /// `--protocol`: the program's own name for its protocol.
    var applicationProtocol: String?
    var user: String?
    var port: UInt16 = 8080
    var path = "/"
    /// `--tcp`: BLIP 1.1.
    var isFirst = false

    struct Property: Equatable {
        let name: String
        let value: String
    }

    static let names = [
        OptionName("property", takesValue: true), OptionName("body", takesValue: true),
        OptionName("compressed"), OptionName("urgent"), OptionName("no-reply"),
        OptionName("print-properties"), OptionName("protocol", takesValue: true),
        OptionName("user", takesValue: true), OptionName("port", letter: "p", takesValue: true),
        OptionName("path", takesValue: true), OptionName("tcp"),
    ]

    /// Makes sense of what stands behind `wharf blip`.
    init(_ scanned: OptionScanner.Result) throws(UsageError) {
        let operands = scanned.operands
        switch (operands.first, operands.count) {
        case ("call", 3): task = .call(url: operands[1], profile: operands[2])
        case ("listen", 1): task = .listen
        case ("call", _): throw UsageError("blip call needs a URL and a profile")
        default: throw UsageError("blip is followed by call or listen")
        }
        let isCall = task != .listen
        for option in scanned.options {
            guard try isCall ? takeCall(option) : takeListen(option) || takeBoth(option) else {
                throw UsageError("--\(option.name): not for blip \(operands[0])")
            }
        }
    }

    private mutating func takeBoth(_ option: OptionScanner.Option) -> Bool {
        guard option.name == "protocol" else { return false }
        applicationProtocol = option.value
        return true
    }

    private mutating func takeCall(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "property":
            let parts = option.value.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("--property: \(option.value) is not NAME=VALUE")
            }
            properties.append(Property(name: String(parts[0]), value: String(parts[1])))
        case "body": body = option.value
        case "compressed": isCompressed = true
        case "urgent": isUrgent = true
        case "no-reply": wantsNoReply = true
        case "print-properties": printsProperties = true
        case "user":
            guard option.value.contains(":") else { throw UsageError("--user needs NAME:PASSWORD") }
            user = option.value
        default: return takeBoth(option)
        }
        return true
    }

    private mutating func takeListen(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "port":
            guard let port = UInt16(option.value) else {
                throw UsageError("--port: \(option.value) is no port")
            }
            self.port = port
        case "path":
            guard option.value.hasPrefix("/") else {
                throw UsageError("--path begins with a slash")
            }
            path = option.value
        case "tcp": isFirst = true
        default: return false
        }
        return true
    }

    static let helpText = """
        usage: wharf blip call [OPTION...] URL PROFILE
               wharf blip listen [OPTION...]

        call sends one request and prints the reply's body. A URL of ws:// speaks BLIP 3
        or 2, one of blip:// BLIP 1.1 over TCP.

          --property NAME=VALUE   a property; may be repeated
          --body TEXT             the body; without it, standard input is sent
          --compressed            compress it
          --urgent                overtake others
          --no-reply              wait for no reply
          --print-properties      print the reply's properties before the body
          --protocol NAME         ask for BLIP_3+NAME
          --user NAME:PASSWORD    log in (Basic); others on this machine see it in `ps`

        listen prints the requests that come, and sends each one's properties and body
        back.

          -p, --port N            the port; 0 picks one (8080)
          --path PATH             the path of the WebSocket (/)
          --protocol NAME         speak BLIP_3+NAME
          --tcp                   speak BLIP 1.1 over TCP

        Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the reply is an error.

        """
}
