import WharfHTTP
import WharfHTTPClient
import WharfNet

/// What `wharf upload` is asked to do.
struct UploadOptions: Equatable {
    /// How the files are sent.
    enum Way: Equatable {
        case form, raw, resumable
    }

    let url: String
    let files: [String]
    var fieldName = "file"
    var way = Way.form
    var user: String?
    var headers: [HTTPField] = []
    var authorities: String?
    var pins: [String] = []
    var isInsecure = false
    var timeout: Int?

    static let names = [
        OptionName("field", takesValue: true), OptionName("raw"), OptionName("resumable"),
        OptionName("user", letter: "u", takesValue: true),
        OptionName("header", letter: "H", takesValue: true),
        OptionName("cacert", takesValue: true), OptionName("pin", takesValue: true),
        OptionName("insecure", letter: "k"), OptionName("timeout", takesValue: true),
    ]

    /// Makes sense of what stands behind `wharf upload`.
    init(_ scanned: OptionScanner.Result) throws(UsageError) {
        guard let url = scanned.operands.first else { throw UsageError("upload needs a URL") }
        guard scanned.operands.count > 1 else { throw UsageError("upload needs a file") }
        self.url = url
        files = Array(scanned.operands.dropFirst())
        for option in scanned.options {
            switch option.name {
            case "field": fieldName = try option.text()
            case "raw": try choose(.raw)
            case "resumable": try choose(.resumable)
            case "user": user = try option.userName()
            case "header": headers.append(try option.headerField())
            case "cacert": authorities = try option.text()
            case "pin": pins.append(try option.text())
            case "insecure": isInsecure = true
            case "timeout": timeout = try option.seconds()
            default: throw UsageError("--\(option.name): not for upload")
            }
        }
        do throws(HTTPURLError) {
            _ = try HTTPURL(url)
        } catch {
            throw UsageError("\(Self.withoutPassword(url)): no http or https URL")
        }
    }

    private mutating func choose(_ way: Way) throws(UsageError) {
        guard self.way == .form || self.way == way else {
            throw UsageError("--raw and --resumable are two ways: say one")
        }
        self.way = way
    }

    /// What stands before an `@` may be a password.
    private static func withoutPassword(_ url: String) -> Substring {
        url.lastIndex(of: "@").map { url[url.index(after: $0)...] } ?? url[...]
    }

    static let helpText = """
        usage: wharf upload [OPTION...] URL FILE...

        Sends files to URL: as a form, the way a browser does, unless told otherwise.

          --field NAME       the name of the form's field for files (file)
          --raw              send each file by PUT; a slash at the end of URL stands for
                             its name
          --resumable        send each file so that it can go on where it broke off,
                             also when the command is started again: by tus or the
                             IETF's resumable uploads, whichever the server knows
          -u, --user NAME[:PASSWORD]
                             log in, by Digest or Basic, when the server asks; without
                             :PASSWORD it is read from the terminal or standard input
          -H, --header 'NAME: VALUE'
                             send this field too; may be repeated
          --cacert FILE      trust the authorities of FILE (PEM) and no others
          --pin SHA256       the server's key has to be this one; may be repeated
          -k, --insecure     take any certificate, of whomever it is
          --timeout S        give up when nothing moves for S seconds (60)
          -h, --help         this text

        On a terminal a bar shows how far it is; elsewhere a line every ten seconds.
        Exit codes: 0 all is sent, 1 the network failed, 2 wrong usage, 3 the server
        refused, 4 a file can't be read or was changed, 5 the server can't be trusted.

        """
}

extension OptionScanner.Option {
    fileprivate func text() throws(UsageError) -> String {
        guard !value.isEmpty else { throw UsageError("--\(name) needs a value") }
        return value
    }

    /// A name with or without a password, which is not repeated in what is wrong with it.
    fileprivate func userName() throws(UsageError) -> String {
        guard let first = value.first, first != ":" else {
            throw UsageError("--user needs NAME or NAME:PASSWORD")
        }
        return value
    }

    fileprivate func headerField() throws(UsageError) -> HTTPField {
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
            throw UsageError("--header needs 'NAME: VALUE'")
        }
        return HTTPField(name: name, value: String(parts[1]))
    }

    fileprivate func seconds() throws(UsageError) -> Int {
        guard let number = Int(value), (1...86_400).contains(number) else {
            throw UsageError("--\(name): \(value) is no number from 1 to 86400")
        }
        return number
    }
}
