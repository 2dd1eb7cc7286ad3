import WharfHTTP

extension HTTPFields {
    /// Tells caches that the answer depends on a field of the request (RFC 9110 §12.5.5).
    mutating func addVary(_ name: HTTPField.Name) {
        guard let value = self[.vary] else {
            self[.vary] = name.rawName
            return
        }
        let names = value.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        guard !names.contains(name.canonicalName), !names.contains("*") else { return }
        self[.vary] = "\(value), \(name.rawName)"
    }
}
