/// Reads the values of structured fields (RFC 9651 §4.2).
///
/// All lines of a field are joined with commas before. What is malformed in any place is nil as a
/// whole, as the RFC has it: nobody may take a part of it for what was meant. More than the RFC asks
/// everybody to take is refused, too: 1024 members, 256 items in an inner list or parameters, 64 bytes
/// in a key.
public enum StructuredField {
    /// A single item.
    public static func item(_ text: some StringProtocol) -> StructuredItem? {
        parse(text) { (parser) throws(StructuredFieldError) in try parser.item() }
    }

    /// A list; an empty text is one without members.
    public static func list(_ text: some StringProtocol) -> [StructuredMember]? {
        parse(text) { (parser) throws(StructuredFieldError) in try parser.list() }
    }

    /// A dictionary; an empty text is one without members.
    public static func dictionary(_ text: some StringProtocol) -> StructuredDictionary? {
        parse(text) { (parser) throws(StructuredFieldError) in try parser.dictionary() }
    }

    private static func parse<Value>(
        _ text: some StringProtocol,
        _ body: (inout StructuredFieldParser) throws(StructuredFieldError) -> Value
    ) -> Value? {
        var parser = StructuredFieldParser(Array(text.utf8))
        // Whatever is wrong with it, the field is as good as not there (§4.2).
        return try? parser.whole(body)
    }
}

/// Names with members, in their order (RFC 9651 §3.2).
public struct StructuredDictionary: Sendable, Hashable {
    /// One name and its member.
    public struct Entry: Sendable, Hashable {
        /// Small letters, digits and a few signs.
        public let key: String
        /// What it stands for.
        public let member: StructuredMember
    }

    /// All of them.
    public private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    /// None.
    public init() {}

    /// The member of a name.
    public subscript(key: String) -> StructuredMember? {
        indices[key].map { entries[$0].member }
    }

    // §4.2.2: a later one takes the place of an earlier one.
    mutating func set(_ key: String, to member: StructuredMember) {
        let entry = Entry(key: key, member: member)
        if let index = indices[key] {
            entries[index] = entry
        } else {
            indices[key] = entries.count
            entries.append(entry)
        }
    }
}

/// A structured field is malformed, or has too much in it.
struct StructuredFieldError: Error {}
