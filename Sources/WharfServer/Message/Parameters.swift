import WharfHTTP

/// What a route's pattern found in a path: `id` of `/users/{id}`.
///
/// A value is text that was decoded once. What was no UTF-8 is repaired (U+FFFD). A slash that was
/// encoded is one like others in it.
public struct Parameters: Sendable {
    private var values: [(name: String, value: String)] = []

    init() {}

    mutating func append(_ name: String, _ value: String) {
        values.append((name, value))
    }

    /// The value of a name; `nil` if the route has no such name, or it is a capture that took no
    /// part.
    public subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    /// The value of a name.
    ///
    /// Throws the ``HTTPError`` 500 if there is none: the route and its handler don't agree.
    public func require(_ name: String) throws -> String {
        guard let value = self[name] else {
            throw HTTPError(.internalServerError, reason: "the route has no parameter \(name)")
        }
        return value
    }

    /// The value of a name, as a number or what else can be read from text.
    ///
    ///     let id = try request.parameters.require("id", as: Int.self)
    ///
    /// Throws the ``HTTPError`` 400 if it can't be read, and 500 if there is none.
    public func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try require(name, type) { Value($0) }
    }

    /// The value of a name, as one of the cases of an enumeration.
    ///
    /// Throws the ``HTTPError`` 400 if no case has it, and 500 if there is none.
    public func require<Value: RawRepresentable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value where Value.RawValue: LosslessStringConvertible {
        try require(name, type) { Value.RawValue($0).flatMap { Value(rawValue: $0) } }
    }

    /// The value of a name, for a type that can be read both ways.
    ///
    /// Throws the ``HTTPError`` 400 if it can't be read, and 500 if there is none.
    public func require<Value: LosslessStringConvertible & RawRepresentable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value where Value.RawValue: LosslessStringConvertible {
        try require(name, type) { Value($0) }
    }

    private func require<Value>(
        _ name: String, _ type: Value.Type, _ read: (String) -> Value?
    ) throws -> Value {
        let text = try require(name)
        guard let value = read(text) else {
            throw HTTPError(
                .badRequest, reason: "the parameter \(name) is no \(type): \"\(text)\"")
        }
        return value
    }
}
