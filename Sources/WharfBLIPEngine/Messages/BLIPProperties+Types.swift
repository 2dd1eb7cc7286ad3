/// Values of other types than text.
extension BLIPProperties {
    /// A value as a number, a Boolean or what else has a text; `nil`: it is not there, or no such text.
    ///
    ///     let count = request.properties["count", as: Int.self]
    public subscript<Value: LosslessStringConvertible>(
        name: String, as type: Value.Type
    ) -> Value? {
        get { self[name].flatMap { Value($0) } }
        set { self[name] = newValue?.description }
    }

    /// What is asked for: `Profile`.
    public var profile: String? {
        get { self["Profile"] }
        set { self["Profile"] = newValue }
    }

    /// What the body is: `Content-Type`.
    public var contentType: String? {
        get { self["Content-Type"] }
        set { self["Content-Type"] = newValue }
    }
}
