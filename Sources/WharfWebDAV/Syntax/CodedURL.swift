/// `<` URL `>`, as in Lock-Token (RFC 4918 §10.1).
package enum CodedURL {
    /// What stands between the brackets, or `nil` if the value is not just that.
    package static func parse(_ value: String) -> String? {
        var scanner = FieldScanner(value)
        guard let url = scanner.codedURL(), scanner.isAtEnd else { return nil }
        return url
    }
}
