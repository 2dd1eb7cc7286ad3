extension HTTPField {
    /// A field name: a token whose case does not matter (RFC 9110 §5.1).
    public struct Name: Sendable {
        /// The name as it was spelled.
        public let rawName: String

        /// The name in lower case, which is what names are compared by.
        public let canonicalName: String

        /// A name, or nil if `name` is not a token.
        public init?(_ name: String) {
            guard !name.isEmpty, name.utf8.allSatisfy({ ASCII.isToken($0) }) else { return nil }
            rawName = name
            canonicalName = name.lowercasedASCII
        }

        init(unchecked name: String) {
            rawName = name
            canonicalName = name.lowercasedASCII
        }
    }
}

extension HTTPField.Name: Hashable {
    /// Compares without regard to case.
    public static func == (left: Self, right: Self) -> Bool {
        left.canonicalName == right.canonicalName
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(canonicalName)
    }
}

extension HTTPField.Name: LosslessStringConvertible {
    /// The name as it was spelled.
    public var description: String { rawName }
}

extension String {
    /// The same text with ASCII letters in lower case; itself when there is nothing to change.
    var lowercasedASCII: String {
        guard utf8.contains(where: { ASCII.lowercased($0) != $0 }) else { return self }
        return String(decoding: utf8.map { ASCII.lowercased($0) }, as: UTF8.self)
    }
}
