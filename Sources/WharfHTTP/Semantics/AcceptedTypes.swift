/// The media types that a client takes: the value of Accept (RFC 9110 §12.5.1).
public struct AcceptedTypes: Sendable, Hashable {
    private let list: QualityList?

    /// Reads the field's value; `nil` when the request has no such field, and takes everything.
    public init(parsing value: String?) {
        list = value.map { QualityList(parsing: $0) }
    }

    /// How much a type such as `text/html` is wanted, from 0 (not at all) to 1.
    ///
    /// The type is in lower case and has no parameters; elements of the list with some are for others.
    public func quality(of essence: String) -> Double {
        Double(rank(of: essence).weight) / 1000
    }

    /// The type that is wanted most, among equals the one that the list names most exactly, and
    /// then the first; `nil` when none is wanted.
    public func preferred(of essences: [String]) -> String? {
        var best: (essence: String, rank: Rank)?
        for essence in essences {
            let rank = rank(of: essence)
            if rank.weight > 0, best.map({ $0.rank < rank }) ?? true { best = (essence, rank) }
        }
        return best?.essence
    }

    private struct Rank: Comparable {
        var weight: Int
        /// 3: by its name, 2: by its type, 1: by `*/*`.
        var exactness: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.weight, left.exactness) < (right.weight, right.exactness)
        }
    }

    // RFC 9110 §12.5.1: the most specific element that fits is the one that counts.
    private func rank(of essence: String) -> Rank {
        guard let list else { return Rank(weight: 1000, exactness: 1) }
        let type = essence.prefix { $0 != "/" }
        for (exactness, name) in [(3, essence), (2, "\(type)/*"), (1, "*/*")] {
            if let item = list.items.first(where: { $0.name == name && $0.parameters.isEmpty }) {
                return Rank(weight: item.quality, exactness: exactness)
            }
        }
        return Rank(weight: 0, exactness: 0)
    }
}
