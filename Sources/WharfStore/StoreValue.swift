/// A value in a row.
package enum StoreValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// The number, or 0 if it is none.
    package var integer: Int64 {
        if case .integer(let value) = self { value } else { 0 }
    }

    /// The text, or `nil` if it is none.
    package var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The bytes, or none.
    package var bytes: [UInt8] {
        if case .bytes(let value) = self { value } else { [] }
    }
}
