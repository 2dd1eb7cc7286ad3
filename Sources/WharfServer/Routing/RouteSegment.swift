/// One part of a pattern, between two slashes.
enum RouteSegment: Sendable, Hashable {
    /// The text itself.
    case literal(Substring)
    /// One segment that begins and ends with given texts and has something between: `{name}.json`.
    case partial(Affixes, name: String)
    /// One whole segment, not empty: `{name}`.
    case parameter(String)
    /// The rest of the path, slashes and all; also an empty one: `{name...}`.
    case rest(String)

    /// What stands around a name within one segment.
    struct Affixes: Sendable, Hashable {
        let prefix: Substring
        let suffix: Substring

        func fit(_ segment: Substring) -> Bool {
            segment.count > prefix.count + suffix.count && segment.hasPrefix(prefix)
                && segment.hasSuffix(suffix)
        }

        /// What stands between them in a segment that they fit.
        func removed(from segment: Substring) -> Substring {
            segment.dropFirst(prefix.count).dropLast(suffix.count)
        }

        /// The more text is given the more specific it is, and a beginning more than an end.
        ///
        /// No two that differ and are equal in this can fit the same segment.
        func isMoreSpecific(than other: Affixes) -> Bool {
            (prefix.count + suffix.count, prefix.count)
                > (other.prefix.count + other.suffix.count, other.prefix.count)
        }
    }

    /// Reads what stands between two slashes.
    ///
    /// It traps on what can't be: patterns are the program's own text.
    init(_ text: Substring, of pattern: String) {
        guard let open = text.firstIndex(of: "{"), let close = text.lastIndex(of: "}"), open < close
        else {
            precondition(!text.contains { $0 == "{" || $0 == "}" }, "\(pattern): half a brace pair")
            self = .literal(text)
            return
        }
        var name = text[text.index(after: open)..<close]
        precondition(
            !name.contains { $0 == "{" || $0 == "}" }, "\(pattern): two names side by side")
        let isRest = name.hasSuffix("...")
        if isRest { name.removeLast(3) }
        precondition(!name.isEmpty, "\(pattern): a name is missing")
        let affixes = Affixes(prefix: text[..<open], suffix: text[text.index(after: close)...])
        precondition(!affixes.prefix.contains("}"), "\(pattern): half a brace pair")
        precondition(!affixes.suffix.contains("{"), "\(pattern): half a brace pair")
        let isWhole = affixes.prefix.isEmpty && affixes.suffix.isEmpty
        precondition(isWhole || !isRest, "\(pattern): a rest is a whole segment")
        if isRest {
            self = .rest(String(name))
        } else if isWhole {
            self = .parameter(String(name))
        } else {
            self = .partial(affixes, name: String(name))
        }
    }

    /// The name that it gives to what it fits.
    var name: String? {
        switch self {
        case .literal: nil
        case .partial(_, let name), .parameter(let name), .rest(let name): name
        }
    }

    /// The same with its literal text in lower case.
    var lowercased: RouteSegment {
        switch self {
        case .literal(let text): .literal(text.lowercased()[...])
        case .partial(let affixes, let name):
            .partial(
                Affixes(
                    prefix: affixes.prefix.lowercased()[...],
                    suffix: affixes.suffix.lowercased()[...]), name: name)
        case .parameter, .rest: self
        }
    }
}
