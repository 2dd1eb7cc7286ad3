import WharfNet
import WharfServer

/// `wharf serve`.
struct Serve {
    let options: ServeOptions

    /// Serves until a signal ends it, or throws one clear line.
    func run() throws(Failure) {
        let passed = try Self.passedSockets()
        let authentication = try options.login.authentication()
        try makeStateFolder()
        let identity = try readIdentity()
        let server = try makeServer(authentication, passed, identity)
        let warnings = [
            identity == nil ? Self.warning(options.login, server.addresses) : nil,
            Self.writingWarning(options, server.addresses),
        ]
        for warning in warnings.compactMap(\.self) { StandardStream.error.write(warning) }
        if options.tls.isSelfSigned, let identity {
            StandardStream.error.write(Self.fingerprint(of: identity.certificate))
        }
        let endpoints = server.endpoints
        for line in Self.lines(folder: options.folder, endpoints.map(\.url)) {
            StandardStream.output.write(line)
        }
        if options.isForLAN, StandardStream.output.isTerminal,
            let first = endpoints.first(where: { !$0.address.isLoopback }),
            let code = QRText.lines(first.url)
        {
            StandardStream.output.write(code)
        }
        do {
            try server.runUntilTerminated()
        } catch {
            throw Failure("can't serve: \(error)")
        }
    }

    /// The sockets of a service manager; they are taken while there is one thread.
    private static func passedSockets() throws(Failure) -> [PassedSocket] {
        do throws(SocketActivationError) {
            return try SocketActivation.takeSockets()
        } catch {
            throw Failure("can't use the sockets that were passed: \(error)")
        }
    }

    private func makeServer(
        _ authentication: Authentication?, _ passed: [PassedSocket], _ identity: TLSIdentity?
    ) throws(Failure) -> HTTPServer {
        let router = Router()
        // Browsers ask without a login whether their pages may ask.
        if let cors = options.protection.cors(asksForLogin: options.login.asksForLogin) {
            router.use(cors)
        }
        if let authentication { router.use(authentication) }
        router.mount("/", try options.folderOptions.handler(for: share(), options.drive))
        var configuration = options.configuration
        configuration.recording = try recording()
        configuration.passedSockets = passed
        if !passed.isEmpty, !options.isPlaceGiven { configuration.addresses = [] }
        if let identity {
            configuration.tls = TLSServerConfiguration(identity: identity)
        }
        configuration.hooks.reloads = { [self] server in try reload(server, authentication) }
        do {
            return try HTTPServer(configuration, router: router)
        } catch let error as TLSError {
            throw options.tls.failure(error, stateFolder: options.drive.stateFolder)
        } catch {
            let places = options.addresses.map(\.description).joined(separator: ", ")
            throw Failure("can't listen on \(places): \(error)")
        }
    }

    /// Reads again what is in files; if one of them can't be used, none is.
    private func reload(_ server: HTTPServer, _ authentication: Authentication?) throws {
        let authenticators = try authentication.map { _ in try options.login.authenticators() }
        if let identity = try readIdentity() { try server.reload([identity]) }
        if let authenticators { authentication?.replace(with: authenticators) }
    }

    private func makeStateFolder() throws(Failure) {
        guard let folder = options.drive.stateFolder else { return }
        do throws(Errno) {
            try ProcessSettings.makeFolder(folder)
        } catch {
            throw Failure("can't keep the state in \(folder): \(error)")
        }
    }

    /// Who the server is, as the files say now; `nil` without TLS.
    private func readIdentity() throws(Failure) -> TLSIdentity? {
        try options.tls.identity(stateFolder: options.drive.stateFolder)
    }

    private func recording() throws(Failure) -> Recording? {
        guard let folder = options.recordingFolder else { return nil }
        do throws(Errno) {
            let recording = try Recording(folder: folder)
            StandardStream.error.write(
                "wharf: WARNING: \(Self.escape(folder)) will hold all that is sent, and passwords.\n"
            )
            return recording
        } catch {
            throw Failure("can't record into \(folder): \(error)")
        }
    }

    private func share() throws(Failure) -> Share {
        var sharing = Share.Options()
        sharing.uploadMax = options.uploadMax
        sharing.allowedExtensions = options.folderOptions.extensions
        do {
            return try Share(
                folder: options.folder, isWritable: options.isWritable, options: sharing)
        } catch {
            throw Failure("can't open \(options.folder): \(error)")
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

    /// What is said when everybody may write.
    static func writingWarning(_ options: ServeOptions, _ addresses: [SocketAddress]) -> String? {
        guard options.isWritable, !options.login.asksForLogin,
            !addresses.allSatisfy(\.isLoopback)
        else { return nil }
        return """
            wharf: WARNING: nobody has to log in, and other machines can connect. Whoever can reach
            wharf: WARNING: this machine may add files here and replace those that there are: see --user.

            """
    }

    /// What is said of a certificate for which nobody vouches: how to know it.
    private static func fingerprint(of certificate: TLSCertificate) -> String {
        """
        wharf: nobody vouches for this server. Its certificate's SHA-256 is
        wharf: \(certificate.fingerprint)

        """
    }

    /// What is printed: a line for each URL under which the folder can be had.
    static func lines(folder: String, _ urls: [String]) -> [String] {
        urls.map { escape("Serving \(folder) at \($0)") + "\n" }
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
}

/// Why the program failed, in one line.
struct Failure: Error, CustomStringConvertible {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    var description: String { reason }
}
