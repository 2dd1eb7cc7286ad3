import WharfHTTP
import WharfServer
import WharfUploads

/// What `wharf serve` is told about the drive that the folder is for WebDAV's clients, and of uploads
/// that go on later.
struct DriveOptions: Equatable {
    /// Without `--no-webdav`.
    var isServed = true
    /// `--state`: the folder for locks, properties and uploads; `nil`: they end with the program.
    var stateFolder: String?
    /// `--upload-lifetime`: seconds; `nil`: as the library has it.
    var uploadLifetime: Int?

    /// `--base-path`: what a proxy in front takes off paths, without a slash at its end.
    var basePath = ""

    static let names = [
        OptionName("no-webdav"), OptionName("state", takesValue: true),
        OptionName("upload-lifetime", takesValue: true),
        OptionName("base-path", takesValue: true),
    ]

    /// Takes an option: false if it is none of these.
    mutating func take(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "no-webdav": isServed = false
        case "state":
            guard !option.value.isEmpty else { throw UsageError("--state needs a folder") }
            stateFolder = option.value
        case "upload-lifetime":
            guard let seconds = Int(option.value), (1...31_536_000).contains(seconds) else {
                throw UsageError("--upload-lifetime: seconds from 1 to 31536000")
            }
            uploadLifetime = seconds
        case "base-path": basePath = try option.basePath()
        default: return false
        }
        return true
    }

    /// Throws for options that contradict each other.
    ///
    /// An identity that is kept is a reason for a state folder, too.
    func check(isWritable: Bool, keepsIdentity: Bool = false) throws(UsageError) {
        guard isWritable || uploadLifetime == nil else {
            throw UsageError("--upload-lifetime needs --writable")
        }
        guard isServed || isWritable || keepsIdentity || stateFolder == nil else {
            throw UsageError(
                "--state is for WebDAV, --writable and --tls-self-signed, and there is none")
        }
        guard isServed || isWritable || basePath.isEmpty else {
            throw UsageError("--base-path is for WebDAV and --writable, and there is neither")
        }
    }

    /// What answers: a handler of the share, with uploads that go on later before it if the share is
    /// writable.
    func resuming(_ inner: any HTTPHandler, of share: Share) throws(Failure) -> any HTTPHandler {
        guard share.isWritable else { return inner }
        var options = ResumableUploads.Options()
        options.stateFolder = stateFolder
        if let uploadLifetime { options.lifetime = .seconds(uploadLifetime) }
        options.basePath = basePath
        do {
            return try ResumableUploads(share, before: inner, options: options)
        } catch {
            throw Failure("can't keep the state in \(error)")
        }
    }
}

extension OptionScanner.Option {
    /// A path such as `/files`, percent-encoded for hrefs.
    fileprivate func basePath() throws(UsageError) -> String {
        let trimmed = value.hasSuffix("/") ? String(value.dropLast()) : value
        guard trimmed.isEmpty || trimmed.hasPrefix("/"),
            let path = try? RequestPath(validating: trimmed.isEmpty ? "/" : trimmed),
            path.isCanonical
        else { throw UsageError("--base-path: \(value) is no path such as /files") }
        return trimmed.isEmpty ? "" : path.encoded
    }
}
