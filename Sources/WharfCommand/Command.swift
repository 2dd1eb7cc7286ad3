/// What the program is asked to do.
enum Command: Equatable {
    /// To say what it can be asked: nothing was said.
    case usage
    case help
    /// The text of `wharf upload --help`.
    case usageOfUpload
    case version
    case serve(ServeOptions)
    case hashPassword(HashPassword)
    case upload(UploadOptions)
    /// The text of `wharf blip --help`.
    case usageOfBLIP
    case blip(BLIPCommandOptions)

    /// Understands the arguments that follow the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        let common = [OptionName("help", letter: "h"), OptionName("version")]
        guard let first = arguments.first else {
            self = .usage
            return
        }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "help":
            self = .help
        case "serve":
            let scanned = try OptionScanner.scan(rest, for: common + ServeOptions.names)
            if let other = Self(scanned) {
                self = other
            } else {
                self = .serve(try ServeOptions(scanned))
            }
        case "hash-password":
            let scanned = try OptionScanner.scan(rest, for: common + HashPassword.names)
            if let other = Self(scanned) {
                self = other
            } else {
                self = .hashPassword(try HashPassword(scanned))
            }
        case "upload":
            let scanned = try OptionScanner.scan(rest, for: common + UploadOptions.names)
            if let other = Self(scanned) {
                self = other == .help ? .usageOfUpload : other
            } else {
                self = .upload(try UploadOptions(scanned))
            }
        case "blip":
            let scanned = try OptionScanner.scan(rest, for: common + BLIPCommandOptions.names)
            if let other = Self(scanned) {
                self = other == .help ? .usageOfBLIP : other
            } else {
                self = .blip(try BLIPCommandOptions(scanned))
            }
        default:
            let scanned = try OptionScanner.scan(arguments, for: common)
            guard let other = Self(scanned) else { throw UsageError("\(first): no such command") }
            self = other
        }
    }

    private init?(_ scanned: OptionScanner.Result) {
        if scanned.options.contains(where: { $0.name == "help" }) {
            self = .help
        } else if scanned.options.contains(where: { $0.name == "version" }) {
            self = .version
        } else {
            return nil
        }
    }

    static let versionText = "wharf 0.1.0\n"

    static let helpText = """
        usage: wharf serve [OPTION...] [DIR]
               wharf hash-password [--realm TEXT] [--ro] NAME
               wharf upload [OPTION...] URL FILE...   (see wharf upload --help)
               wharf blip call|listen ...             (see wharf blip --help)
               wharf help | --help | --version

        Shares the folder DIR (the one it is started in) with browsers; read-only,
        unless it is told otherwise.

          -p, --port N       the port; 0 picks one (8080); N-M: the first that is free
          --bind ADDRESS     where to listen: a numeric address, localhost, an interface
                             such as eth0, or unix:PATH; may be repeated (localhost)
          --lan              listen on all addresses of this machine
          --bonjour NAME     tell others in the local network, under this name; empty:
                             that of the machine
          --nat              have the router lead to it from the internet
          --hidden           show files whose names begin with a dot
          --index NAME       a file NAME, such as index.html, stands for its folder
          --title TEXT       what the pages call the folder (its name)
          --extensions LIST  only files with these extensions are there: jpg,png
          --no-ui            a plain list for browsers in the place of the page
          --idle-timeout S   close a connection after S seconds without a request (60)
          --max-connections N              connections at a time (10000)
          --max-connections-per-address N  the same for one client; 0: any number (256);
                             clients on this machine are exempt
          --user NAME:PASSWORD[:ro]
                             ask for a login; with :ro one who may only read; may be
                             repeated. Others on this machine see it in `ps`: use
          --user-file FILE   a file of lines NAME:HASH[:ro], from `wharf hash-password`
          --public-read      reading needs no login
          --auth SCHEME      basic, digest or both (both, if all users have a hash for
                             Digest)
          --realm TEXT       what a login is for; the hashes for Digest hold it (Wharf)
          --writable         take files, also by uploads that go on later (tus and the
                             IETF's), and let them be renamed, moved and deleted, from
                             users without :ro
          --max-upload SIZE  how long a file may be, such as 500M or 2G (no bound)
          --host NAME        a name by which clients may call this server, besides its
                             addresses, localhost and the machine's own names;
                             *.NAME for those below one, * for any; may be repeated
          --cors ORIGIN      let pages of https://example.org, say, use this server;
                             * lets those of all sites read; may be repeated
          --trust-proxy NETWORK
                             believe a proxy at 10.0.0.0/8, say, or unix, for whom it
                             asks (Forwarded, X-Forwarded-For); may be repeated
          --tls-cert FILE    speak TLS (https): certificates in PEM, the server's own
                             first
          --tls-key FILE     their key in PEM (in the file of the certificates)
          --tls-self-signed  speak TLS with a certificate made here for this machine's
                             names and addresses, and kept in --state DIR or under
                             ~/.local/state; its fingerprint is printed
          --no-webdav        be no drive for clients of WebDAV, such as Finder
          --state DIR        keep the locks and properties of such clients, and uploads
                             that are not complete, in DIR; else they end with the
                             program
          --upload-lifetime S
                             how many seconds an upload is kept that nobody goes on
                             with (86400)
          --base-path PATH   what a proxy in front takes off paths, such as /files, so
                             that such clients are told whole ones
          --access-log[=FORMAT]
                             log each request to standard error: plain, common,
                             combined or json (plain)
          --record DIR       keep what is sent and answered in files in DIR, for tests:
                             at most 1000 exchanges and 256 MiB, none over 16 MiB
          --log-level LEVEL  debug, info, notice or error (notice)
          -h, --help         this text
          --version          the version

        hash-password reads a password from the terminal, or a line of standard input,
        and prints a line for --user-file; with --realm one for Digest, too; with --ro
        for one who may only read. Keep the file where nobody else can read it.

        serve prints a line `Serving DIR at URL` for each URL, and on a terminal with
        --lan a QR code of the first. On SIGTERM and SIGINT it accepts no more, and ends
        when the open requests are answered, after 30 seconds at the latest;
        a second signal ends it at once. On SIGHUP it reads its certificates and users
        again.
        Sockets from systemd take the place of --port.
        Exit codes: 0 done, 1 failed, 2 wrong usage.

        """
}
