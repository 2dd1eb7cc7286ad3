import WharfNet
import WharfServer

/// What `wharf serve` is told about securing its connections.
struct TLSOptions: Equatable {
    /// `--tls-cert`.
    var certificateFile: String?
    /// `--tls-key`; `nil`: the key is in the file of the certificates.
    var keyFile: String?
    /// `--tls-self-signed`.
    var isSelfSigned = false

    static let names = [
        OptionName("tls-cert", takesValue: true), OptionName("tls-key", takesValue: true),
        OptionName("tls-self-signed"),
    ]

    /// Whether connections are secured.
    var isOn: Bool { certificateFile != nil || isSelfSigned }

    /// Takes an option: false if it is none of these.
    mutating func take(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "tls-cert": certificateFile = option.value
        case "tls-key": keyFile = option.value
        case "tls-self-signed": isSelfSigned = true
        default: return false
        }
        return true
    }

    /// Throws for options that contradict each other.
    func check() throws(UsageError) {
        guard keyFile == nil || certificateFile != nil else {
            throw UsageError("--tls-key needs --tls-cert")
        }
        guard certificateFile == nil || !isSelfSigned else {
            throw UsageError("--tls-self-signed and --tls-cert exclude each other")
        }
    }

    /// Who the server is, read from its files, now or again; `nil` without TLS.
    ///
    /// A self-signed one is kept in a folder.
    func identity(stateFolder: String?) throws(Failure) -> TLSIdentity? {
        if let certificateFile {
            do {
                return try TLSIdentity(certificateFile: certificateFile, keyFile: keyFile)
            } catch {
                throw failure(error, stateFolder: stateFolder)
            }
        }
        guard isSelfSigned else { return nil }
        guard let folder = stateFolder ?? ProcessSettings.stateFolder else {
            throw Failure("there is no folder to keep the identity in: see --state")
        }
        do {
            return try TLSIdentity.selfSigned(keptIn: folder)
        } catch {
            throw Failure("can't keep an identity in \(folder): \(error)")
        }
    }

    /// What is said of an identity that can't be used.
    func failure(_ error: any Error, stateFolder: String?) -> Failure {
        let files = [certificateFile, keyFile].compactMap(\.self)
        let kept = (stateFolder ?? ProcessSettings.stateFolder).map { "the identity kept in \($0)" }
        let what = files.isEmpty ? kept ?? "the identity" : files.joined(separator: ", ")
        return Failure("can't use \(what): \(error)")
    }
}
