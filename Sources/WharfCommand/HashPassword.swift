import WharfNet
import WharfServer

/// `wharf hash-password NAME`: makes lines for `--user-file`.
struct HashPassword: Equatable {
    var name: String
    /// Whether to make a line for Digest, too, and for which realm.
    var realm: String?
    var isReader = false

    static let names = [OptionName("realm", takesValue: true), OptionName("ro")]

    /// Makes sense of what stands behind `wharf hash-password`.
    init(_ scanned: OptionScanner.Result) throws(UsageError) {
        guard scanned.operands.count == 1, let name = scanned.operands.first else {
            throw UsageError("hash-password needs one name")
        }
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: ":")) else {
            throw UsageError("a name can't be empty or have a colon")
        }
        self.name = name
        for option in scanned.options {
            switch option.name {
            case "realm": realm = try option.realm()
            case "ro": isReader = true
            default: throw UsageError("--\(option.name): not for hash-password")
            }
        }
    }

    /// Asks for the password and prints the lines, or throws one clear line.
    func run() throws(Failure) {
        let password: String?
        do throws(Errno) {
            password = try StandardInput.readSecret(prompt: "Password for \(name): ")
        } catch {
            throw Failure("can't read the password: \(error)")
        }
        guard let password, !password.isEmpty else { throw Failure("there is no password") }
        for line in lines(for: password) { StandardStream.output.write(line) }
    }

    /// The lines of the file.
    func lines(for password: String) -> [String] {
        let end = isReader ? ":ro\n" : "\n"
        var lines = ["\(name):\(PasswordHash.pbkdf2(password))" + end]
        if let realm {
            let secret = DigestSecret(userName: name, realm: realm, password: password)
            lines.append("\(name):\(secret)" + end)
        }
        return lines
    }
}
