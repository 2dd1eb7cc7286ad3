/// How far below a resource a method reaches (RFC 4918 §10.2).
package enum Depth: Sendable, Hashable {
    case zero
    /// The resource and its direct members.
    case one
    case infinity

    /// Reads the field's value; `nil` if it is none.
    package init?(parsing value: String) {
        switch value.lowercased() {
        case "0": self = .zero
        case "1": self = .one
        case "infinity": self = .infinity
        default: return nil
        }
    }
}
