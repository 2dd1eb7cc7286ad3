import WharfHTTP

/// An error whose answer is to have some fields more, whatever it is.
struct ErrorWithFields: Error {
    let error: any Error
    private let fields: HTTPFields
    private let vary: String?

    init(_ error: any Error, fields: HTTPFields, vary: String?) {
        self.error = error
        self.fields = fields
        self.vary = vary
    }

    func complete(_ response: Response) -> Response { response.adding(fields, vary: vary) }
}

extension Response {
    /// The same answer with fields more, and with a name more in Vary (RFC 9110 §12.5.5).
    func adding(_ fields: HTTPFields, vary: String?) -> Response {
        var response = self
        for field in fields { response.fields[field.name] = field.value }
        guard let vary else { return response }
        let names = response.fields[.vary]
        let isThere = (names ?? "").split(separator: ",").contains {
            let name = $0.filter { $0 != " " }.lowercased()
            return name == "*" || name == vary.lowercased()
        }
        if !isThere { response.fields[.vary] = names.map { "\($0), \(vary)" } ?? vary }
        return response
    }
}
