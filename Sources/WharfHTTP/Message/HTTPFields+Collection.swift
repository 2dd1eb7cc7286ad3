extension HTTPFields: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The position of the first line.
    public var startIndex: Int { 0 }

    /// The position past the last line.
    public var endIndex: Int { entries.count }

    /// The line at `position`.
    public subscript(position: Int) -> HTTPField {
        get { field(at: position) }
        set { replaceEntries(position..<position + 1, with: CollectionOfOne(newValue)) }
    }

    /// Replaces lines with others.
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<HTTPField>
    ) {
        replaceEntries(subrange, with: newElements)
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order of the literal; a name may appear more than once.
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        self.init()
        for (name, value) in elements { append(HTTPField(name: name, value: value)) }
    }
}

extension HTTPFields: Hashable {
    /// Whether both have the same values for each name, in the same order.
    ///
    /// The order of lines with different names means nothing (RFC 9110 §5.3).
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        return left.valuesByName() == right.valuesByName()
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(valuesByName())
    }

    private func valuesByName() -> [HTTPField.Name: [String]] {
        var values: [HTTPField.Name: [String]] = [:]
        for field in self { values[field.name, default: []].append(field.value) }
        return values
    }
}

extension HTTPFields: CustomDebugStringConvertible {
    /// The lines, for people.
    ///
    /// Values may be secret: not for logs.
    public var debugDescription: String {
        map { $0.description }.joined(separator: "\n")
    }
}
