import WharfCrypto
public import WharfHTTP

/// Who may log in to a realm, and with which password.
///
///     var users = UserList(realm: "Library")
///     try users.add("alice", password: "correct horse")
///     try users.add("bob", password: "battery staple", access: .reader)
///
/// Passwords themselves are not kept.
public struct UserList: Sendable {
    /// What is known of one user.
    struct Entry: Sendable {
        var user: AuthenticatedUser
        var passwordHash: PasswordHash?
        var secrets: [DigestAlgorithm: DigestSecret] = [:]
    }

    /// What clients show their users when they ask for a password.
    public let realm: String

    private var entries: [String: Entry] = [:]
    /// Names by what RFC 7616 §3.4.4 hides them behind.
    private var hashedNames: [String: String] = [:]
    /// As costly as the costliest hash of the list, and nobody's.
    private(set) var decoy: PasswordHash?

    /// An empty list.
    ///
    /// A change of the realm makes stored secrets of Digest useless.
    public init(realm: String) {
        self.realm = realm
    }

    /// Adds a user for all schemes.
    ///
    /// Throws ``UserListError`` for a name that can't be sent, or is there already.
    public mutating func add(
        _ name: String, password: String, access: AuthenticatedUser.Access = .writer
    ) throws(UserListError) {
        for algorithm in DigestAlgorithm.allCases {
            let secret = DigestSecret(
                userName: name, realm: realm, password: password, algorithm: algorithm)
            try add(name, secret: secret, access: access)
        }
    }

    /// Adds a user with a stored hash, which Basic takes.
    ///
    /// Throws ``UserListError`` for a name that can't be sent, or has a hash already.
    public mutating func add(
        _ name: String, hash: PasswordHash, access: AuthenticatedUser.Access = .writer
    ) throws(UserListError) {
        try update(name, access) { entry in
            guard entry.passwordHash == nil else { return false }
            entry.passwordHash = hash
            return true
        }
        if hash.cost > decoy?.cost ?? 0 { decoy = hash.decoy }
    }

    /// Adds a user with a stored secret, which Digest takes, and Basic if there is no hash.
    ///
    /// Throws ``UserListError`` for a name that can't be sent, or has such a secret already.
    public mutating func add(
        _ name: String, secret: DigestSecret, access: AuthenticatedUser.Access = .writer
    ) throws(UserListError) {
        try update(name, access) { entry in
            entry.secrets.updateValue(secret, forKey: secret.algorithm) == nil
        }
    }

    private mutating func update(
        _ name: String, _ access: AuthenticatedUser.Access, _ body: (inout Entry) -> Bool
    ) throws(UserListError) {
        // RFC 7617 §2: a colon would end the name.
        guard !name.isEmpty, BasicCredentials(userName: name, password: "") != nil else {
            throw UserListError(.name)
        }
        var entry = entries[name] ?? Entry(user: AuthenticatedUser(name: name, access: access))
        guard body(&entry) else { throw UserListError(.duplicate) }
        guard entry.user.access == access else { throw UserListError(.access) }
        entries[name] = entry
        for algorithm in DigestAlgorithm.allCases {
            let hashed = algorithm.hexadecimal(of: Array((name + ":" + realm).utf8))
            hashedNames[hashed] = name
        }
    }

    // MARK: Looking up

    /// Whether there is nobody.
    public var isEmpty: Bool { entries.isEmpty }

    /// The names of those that Digest can't let in for want of a secret, in their order.
    public func namesWithoutSecret(_ algorithm: DigestAlgorithm = .sha256) -> [String] {
        entries.values.filter { $0.secrets[algorithm] == nil }.map(\.user.name).sorted()
    }

    func entry(_ name: String) -> Entry? { entries[name] }

    /// The name behind a hash, or what was given.
    func name(hashed: String) -> String { hashedNames[hashed.lowercased()] ?? hashed }
}

/// What is wrong with a user that is to be added.
public struct UserListError: Error, Sendable, Hashable {
    /// What may be wrong.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
        /// The name is empty, has a colon, or a control character.
        case name
        /// The line is not `name:hash` or `name:hash:ro`.
        case line
        /// What should be a hash is none.
        case hash
        /// The user is there already, with a hash of that kind.
        case duplicate
        /// The user is there already, and may do more, or less.
        case access
        /// The file is no UTF-8, or longer than a mebibyte.
        case file
    }

    /// What is wrong.
    public let kind: Kind
    /// The line of the file, from 1.
    public var line: Int?

    /// Makes the error.
    public init(_ kind: Kind, line: Int? = nil) {
        self.kind = kind
        self.line = line
    }
}

extension UserListError: CustomStringConvertible {
    /// One line for whoever has written the list.
    public var description: String {
        let text =
            switch kind {
            case .name: "a name can't be empty, nor have a colon or a control character"
            case .line: "it is not NAME:HASH or NAME:HASH:ro"
            case .hash: "what follows the name is no hash of a password"
            case .duplicate: "the user is there already"
            case .access: "the user is there already, with other rights"
            case .file: "it is no text of at most a mebibyte"
            }
        return line.map { "line \($0): " + text } ?? text
    }
}
