import WharfNet
import WharfServer

/// `wharf serve`.
struct Serve {
    let options: ServeOptions

    /// Serves until a signal ends it, or throws one clear line.
    func run() throws(Failure) {
        let authentication = try options.login.authentication()
        let server = try makeServer(authentication)
        if let warning = Self.warning(options.login, server.addresses) {
            StandardStream.error.write(warning)
        }
        for line in Self.lines(folder: options.folder, server.addresses) {
            StandardStream.output.write(line)
        }
        do {
            try server.runUntilTerminated()
        } catch {
            throw Failure("can't serve: \(error)")
        }
    }

    private func makeServer(_ authentication: Authentication?) throws(Failure) -> HTTPServer {
        var handling = DirectoryHandler.Options()
        handling.showsHidden = options.showsHidden
        handling.indexName = options.indexName
        handling.title = options.title
        let router = Router()
        // Browsers ask without a login whether their pages may ask.
        if let cors = options.protection.cors(asksForLogin: options.login.asksForLogin) {
            router.use(cors)
        }
        if let authentication { router.use(authentication) }
        do {
            router.mount("/", try DirectoryHandler(folder: options.folder, options: handling))
        } catch {
            throw Failure("can't open \(options.folder): \(error)")
        }
        do {
            return try HTTPServer(options.configuration, router: router)
        } catch {
            let places = options.addresses.map(\.description).joined(separator: ", ")
            throw Failure("can't listen on \(places): \(error)")
        }
    }

    /// What is said when passwords can be read on their way.
    static func warning(_ login: LoginOptions, _ addresses: [SocketAddress]) -> String? {
        guard login.asksForLogin, !addresses.allSatisfy(\.isLoopback) else { return nil }
        return """
            wharf: WARNING: there is no TLS, and other machines can connect. Whoever can read the
            wharf: WARNING: traffic can read what is served, and passwords or what stands for them.

            """
    }

    /// What is printed: a line for each URL under which the folder can be had.
    static func lines(folder: String, _ addresses: [SocketAddress]) -> [String] {
        var urls: [String] = []
        for address in addresses.flatMap(reachable) {
            let url = address.isUnix ? "\(address)" : "http://\(address)/"
            if !urls.contains(url) { urls.append(url) }
        }
        return urls.map { escape("Serving \(folder) at \($0)") + "\n" }
    }

    /// Makes a text one line that moves no cursor, whatever characters a folder's name has.
    private static func escape(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// The addresses that clients can use to reach a listener.
    private static func reachable(_ address: SocketAddress) -> [SocketAddress] {
        guard address.isWildcard else { return [address] }
        let all = NetworkInterfaces.addresses(port: address.port).filter {
            $0.isIPv4 == address.isIPv4
        }
        return all.isEmpty ? [address] : all
    }
}

/// Why the program failed, in one line.
struct Failure: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension SocketAddress {
    fileprivate var isUnix: Bool { if case .unix = self { true } else { false } }
    fileprivate var isIPv4: Bool { if case .ipv4 = self { true } else { false } }
}
