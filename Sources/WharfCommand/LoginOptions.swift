import WharfHTTP
import WharfServer

/// What `wharf serve` is told about who may come in.
struct LoginOptions: Equatable {
    /// `--user NAME:PASSWORD[:ro]`, taken apart.
    struct User: Equatable {
        let name: String
        let password: String
        let access: AuthenticatedUser.Access
    }

    /// `--auth`.
    enum Scheme: String, CaseIterable {
        case basic, digest, both
    }

    var users: [User] = []
    var userFile: String?
    var isReadingPublic = false
    var scheme: Scheme?
    var realm = "Wharf"

    static let names = [
        OptionName("user", takesValue: true), OptionName("user-file", takesValue: true),
        OptionName("public-read"), OptionName("auth", takesValue: true),
        OptionName("realm", takesValue: true),
    ]

    /// Whether anybody has to log in.
    var asksForLogin: Bool { !users.isEmpty || userFile != nil }

    /// Takes an option: false if it is none of these.
    mutating func take(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "user": users.append(try option.user())
        case "user-file": userFile = option.value
        case "public-read": isReadingPublic = true
        case "auth": scheme = try option.scheme()
        case "realm": realm = try option.realm()
        default: return false
        }
        return true
    }

    /// Throws when there are options that mean nothing without users.
    func check() throws(UsageError) {
        guard !asksForLogin, isReadingPublic || scheme != nil else { return }
        throw UsageError(
            (isReadingPublic ? "--public-read" : "--auth") + " needs --user or --user-file")
    }

    // MARK: Putting it to work

    /// What guards the server; `nil` when nobody has to log in.
    func authentication() throws(Failure) -> Authentication? {
        guard asksForLogin else { return nil }
        var options = Authentication.Options()
        options.isReadingPublic = isReadingPublic
        options.isOptionsPublic = true
        return Authentication(try authenticators(), options: options)
    }

    /// Who may log in, read from the file now or again.
    func authenticators() throws(Failure) -> [any Authenticator] {
        let list = try userList()
        guard !list.isEmpty else { throw Failure("nobody could log in: there are no users") }
        var authenticators: [any Authenticator] = []
        let without = list.namesWithoutSecret(.sha256)
        let scheme = scheme ?? (without.isEmpty ? .both : .basic)
        if scheme != .basic {
            if let name = without.first {
                throw Failure(
                    "\(name) has no hash for Digest: add the line that "
                        + "`wharf hash-password --realm` prints, or use --auth basic")
            }
            authenticators.append(DigestAuthentication(users: list))
        }
        if scheme != .digest { authenticators.append(BasicAuthentication(users: list)) }
        return authenticators
    }

    private func userList() throws(Failure) -> UserList {
        var list = UserList(realm: realm)
        if let userFile {
            do {
                list = try UserList(realm: realm, file: userFile)
            } catch {
                throw Failure("can't use \(userFile): \(error)")
            }
        }
        for user in users {
            do throws(UserListError) {
                try list.add(user.name, password: user.password, access: user.access)
            } catch {
                throw Failure("--user \(user.name): \(error)")
            }
        }
        return list
    }
}

extension OptionScanner.Option {
    /// The first colon ends the name; `:ro` at the end makes a reader.
    fileprivate func user() throws(UsageError) -> LoginOptions.User {
        let colon = value.utf8.firstIndex(of: UInt8(ascii: ":"))
        // The value may hold a password: it is not repeated.
        guard let colon, colon > value.startIndex else {
            throw UsageError("--user needs NAME:PASSWORD or NAME:PASSWORD:ro")
        }
        var password = value[value.utf8.index(after: colon)...]
        let isReader = password.hasSuffix(":ro")
        if isReader { password = password.dropLast(3) }
        guard !password.isEmpty else { throw UsageError("--user: the password is empty") }
        return LoginOptions.User(
            name: String(value[..<colon]), password: String(password),
            access: isReader ? .reader : .writer)
    }

    fileprivate func scheme() throws(UsageError) -> LoginOptions.Scheme {
        guard let scheme = LoginOptions.Scheme(rawValue: value) else {
            let all = LoginOptions.Scheme.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--auth: \(value) is none of \(all)")
        }
        return scheme
    }

    func realm() throws(UsageError) -> String {
        guard !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw UsageError("--\(name) needs a text without control characters")
        }
        return value
    }
}
