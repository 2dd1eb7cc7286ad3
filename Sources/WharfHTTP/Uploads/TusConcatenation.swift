/// The field Upload-Concat of tus 1.0: a part of a later upload, or an upload made of parts.
package enum TusConcatenation: Sendable, Hashable {
    /// To be a part of another one.
    case partial
    /// Made of the uploads at some URLs, in their order.
    case final([String])

    /// Parts of one upload: more are refused.
    package static let partCountMax = 1000

    /// Takes a field's value apart; nil for what is neither.
    package init?(parsing value: some StringProtocol) {
        if value == "partial" {
            self = .partial
            return
        }
        guard value.hasPrefix("final;") else { return nil }
        let urls = value.utf8.dropFirst(6).split(separator: ASCII.space)
        guard !urls.isEmpty, urls.count <= Self.partCountMax else { return nil }
        self = .final(urls.map { String(decoding: $0, as: UTF8.self) })
    }

    /// The field's value.
    package var text: String {
        switch self {
        case .partial: "partial"
        case .final(let urls): "final;" + urls.joined(separator: " ")
        }
    }
}
