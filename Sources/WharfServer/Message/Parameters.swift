/// What a route's pattern found in a path: `id` of `/users/{id}`, decoded.
public struct Parameters: Sendable {
    private var values: [(name: String, value: String)] = []

    init() {}

    mutating func append(_ name: String, _ value: String) {
        values.append((name, value))
    }

    /// The value of a name of the pattern; `nil` if the pattern has no such name.
    public subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }
}
