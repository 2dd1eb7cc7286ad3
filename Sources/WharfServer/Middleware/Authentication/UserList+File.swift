import WharfNet

extension UserList {
    /// Bytes that a file of users may have.
    private static let fileByteCountMax = 1024 * 1024

    /// Reads a list: `name:hash`, or `name:hash:ro` for one who only reads, a user a line.
    ///
    /// A hash is a ``PasswordHash`` or a ``DigestSecret``; a user who has both has two lines. Empty
    /// lines are skipped, and those that begin with `#`. Anything else throws ``UserListError``,
    /// with the number of the line.
    public init(realm: String, parsing text: String) throws(UserListError) {
        self.init(realm: realm)
        var number = 0
        // Characters would hide a line end inside CR LF.
        for line in text.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            number += 1
            var line = Substring(line)
            if line.utf8.last == UInt8(ascii: "\r") {
                line = Substring(line.unicodeScalars.dropLast())
            }
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do throws(UserListError) {
                try add(line: line)
            } catch {
                throw UserListError(error.kind, line: number)
            }
        }
    }

    /// Reads a list from a file; see ``init(realm:parsing:)``.
    ///
    /// Throws ``WharfNet/Errno`` when it can't be read, ``UserListError`` when it is none.
    public init(realm: String, file path: String) throws {
        let bytes = try WholeFile.read(path, byteCountMax: Self.fileByteCountMax)
        guard let bytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw UserListError(.file)
        }
        try self.init(realm: realm, parsing: text)
    }

    private mutating func add(line: Substring) throws(UserListError) {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 && parts[2] == "ro" else {
            throw UserListError(.line)
        }
        let access: AuthenticatedUser.Access = parts.count == 3 ? .reader : .writer
        let (name, hash) = (String(parts[0]), String(parts[1]))
        if let secret = DigestSecret(hash) {
            try add(name, secret: secret, access: access)
        } else if let stored = PasswordHash(hash) {
            try add(name, hash: stored, access: access)
        } else {
            throw UserListError(.hash)
        }
    }
}
