/// The content codings that a client takes: the value of Accept-Encoding (RFC 9110 §12.5.3).
public struct AcceptedEncodings: Sendable, Hashable {
    private let list: QualityList?

    /// Reads the field's value; `nil` when the request has no such field.
    public init(parsing value: String?) {
        list = value.map { QualityList(parsing: $0) }
    }

    /// How much a coding is wanted, from 0 (not at all) to 1; names in lower case.
    ///
    /// Without the field only `identity`, the content as it is, is certain to be understood.
    public func quality(of coding: String) -> Double {
        Double(weight(of: coding)) / 1000
    }

    /// Whether to send a coding rather than the content as it is.
    ///
    /// True when it is wanted at least as much: who names it, wants fewer bytes.
    public func prefers(_ coding: String) -> Bool {
        let weight = weight(of: coding)
        return weight > 0 && weight >= self.weight(of: "identity")
    }

    private func weight(of coding: String) -> Int {
        let isIdentity = coding == "identity"
        guard let list else { return isIdentity ? 1000 : 0 }
        // `x-gzip` is another name for it (RFC 9110 §8.4.1.3).
        let alias = coding == "gzip" ? "x-gzip" : coding
        if let item = list.items.first(where: { $0.name == coding || $0.name == alias }) {
            return item.quality
        }
        let any = list.items.first { $0.name == "*" }
        if isIdentity {
            // Not named, it is taken unless `*` forbids it; and it ranks below what is named.
            return any.map { $0.quality == 0 ? 0 : 1 } ?? 1
        }
        return any?.quality ?? 0
    }
}
