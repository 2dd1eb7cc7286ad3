/// The languages that a client's user reads: the value of Accept-Language (RFC 9110 §12.5.4).
public struct AcceptedLanguages: Sendable, Hashable {
    private let list: QualityList

    /// Reads the field's value; without one nothing is known.
    public init(parsing value: String?) {
        list = QualityList(parsing: value ?? "")
    }

    /// The language of those given that the user wants most; `nil` if there is none of them.
    ///
    /// They are primary tags such as `de`, and stand for all that begin with them (RFC 4647 §3.4).
    public func preferred(of languages: [String]) -> String? {
        var best: (language: String, quality: Int)?
        for item in list.items where item.quality > best?.quality ?? 0 {
            let primary = String(item.name.prefix { $0 != "-" })
            guard let language = languages.first(where: { $0 == primary }) else { continue }
            best = (language, item.quality)
        }
        return best?.language
    }
}
