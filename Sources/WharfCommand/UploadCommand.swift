import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfUploadClient

/// `wharf upload`.
struct UploadCommand {
    /// Exit codes that tell what has happened.
    private enum Code {
        static let network: Int32 = 1
        static let usage: Int32 = 2
        static let refused: Int32 = 3
        static let file: Int32 = 4
        static let notTrusted: Int32 = 5
    }

    let options: UploadOptions

    /// Sends all, and answers the exit code.
    func run() async -> Int32 {
        do {
            let client = try HTTPClient(try configuration())
            var uploadOptions = UploadClient.Options()
            uploadOptions.memoryPath = UploadClient.Options.defaultMemoryPath
            let uploads = UploadClient(client, options: uploadOptions)
            for upload in try makeUploads() { try await send(upload, by: uploads) }
            return 0
        } catch {
            let (code, text) = explain(error)
            HTTPLog.errorWriter.write("wharf: \(text)")
            return code
        }
    }

    // MARK: What is asked

    private func configuration() throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        if let timeout = options.timeout {
            configuration.idleTimeout = .seconds(timeout)
            configuration.connectTimeout = min(
                configuration.connectTimeout, .seconds(timeout))
        }
        configuration.credentials = try credentials()
        configuration.tls = try trust()
        configuration.userAgent = "wharf-upload"
        return configuration
    }

    private func trust() throws -> TLSClientConfiguration {
        var tls = TLSClientConfiguration()
        if let path = options.authorities {
            do {
                let bytes = try WholeFile.read(path, byteCountMax: 16 << 20) ?? []
                tls.trust = .certificates(try TLSCertificate.inPEM(bytes))
            } catch {
                throw UsageError("--cacert \(path): \(error)")
            }
        }
        if options.isInsecure { tls.trust = .anything }
        for text in options.pins {
            guard let pin = TLSFingerprint(text) else {
                throw UsageError("--pin needs 64 hexadecimal digits, a SHA-256")
            }
            tls.pins.insert(pin)
            // A key that is known needs nobody to vouch for it.
            if options.authorities == nil { tls.trust = .anything }
        }
        return tls
    }

    private func credentials() throws -> ClientCredentials? {
        let url = try HTTPURL(options.url)
        guard let text = options.user ?? url.userName else { return nil }
        var password = options.user == nil ? url.password : nil
        var name = text[...]
        if options.user != nil, let colon = text.firstIndex(of: ":") {
            name = text[..<colon]
            password = String(text[text.index(after: colon)...])
        }
        if password == nil {
            password = try StandardInput.readSecret(prompt: "Password of \(name): ")
        }
        guard let password,
            let credentials = ClientCredentials(userName: String(name), password: password)
        else { throw UsageError("the name and password can't be sent") }
        return credentials
    }

    private func makeUploads() throws -> [Upload] {
        let url = try HTTPURL(options.url)
        let files = options.files.map { UploadFile($0) }
        let groups = options.way == .form ? [files] : files.map { [$0] }
        return groups.map { group in
            var upload = Upload(url, files: group)
            switch options.way {
            case .form: upload.way = .multipart
            case .raw: upload.way = .raw
            case .resumable: upload.way = .resumableAsOffered
            }
            upload.fieldName = options.fieldName
            for field in options.headers { upload.fields.append(field) }
            return upload
        }
    }

    // MARK: Sending

    private func send(_ upload: Upload, by uploads: UploadClient) async throws {
        let name = upload.files.map(\.sentName).joined(separator: ", ")
        let display = UploadDisplay(name: name)
        let result: UploadResult
        do {
            result = try await uploads.send(upload) { display.show($0) }
        } catch {
            display.finish()
            throw error
        }
        display.finish()
        StandardStream.output.write(display.line(of: result))
    }

    // MARK: What went wrong

    private func explain(_ error: any Error) -> (Int32, String) {
        switch error {
        case let error as UsageError: return (Code.usage, error.reason)
        case let error as UploadError:
            switch error.kind {
            case .refused:
                return (Code.refused, "\(place): \(error)\(error.answer?.firstLine ?? "")")
            case .notResumable, .tooLarge, .brokenProtocol, .forgotten:
                return (Code.refused, "\(place): \(error)")
            case .file: return (Code.file, UploadDisplay.printable(error.reason))
            case .misuse: return (Code.usage, error.reason)
            case .network(let cause):
                let isTrust = cause.kind == .notSecure
                return (isTrust ? Code.notTrusted : Code.network, "\(place): \(error)")
            }
        default: return (Code.network, "\(error)")
        }
    }

    /// The URL without a password.
    private var place: String {
        (try? HTTPURL(options.url)).map { UploadDisplay.printable("\($0)") } ?? "the URL"
    }
}

extension HTTPClient.Answer {
    /// What a server says of a refusal, if it is short and plain.
    fileprivate var firstLine: String {
        guard fields[.contentType]?.hasPrefix("text/plain") == true,
            let line = text.split(whereSeparator: \.isNewline).first
        else { return "" }
        return ": " + UploadDisplay.printable(String(line.prefix(200)))
    }
}
