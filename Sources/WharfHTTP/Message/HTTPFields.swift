/// The fields of a message, in the order of their lines (RFC 9110 §5).
///
/// All names and values lie in one array of bytes, in the form of the wire, and an entry for each
/// line says where: a head that was read costs its own bytes and the entries, looking one up
/// compares bytes, and sending them copies bytes. Values that came from a peer stay as they were
/// sent; as text they are UTF-8 if valid, else ISO-8859-1.
public struct HTTPFields: Sendable {
    /// Where one field line lies in the arena.
    package struct Entry: Sendable {
        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32

        var nameRange: Range<Int> {
            Int(nameStart)..<Int(nameStart) + Int(nameCount)
        }

        var valueRange: Range<Int> {
            Int(valueStart)..<Int(valueStart) + Int(valueCount)
        }
    }

    /// The bytes that the entries point into; there may be others between them.
    private(set) var arena: [UInt8] = []
    private(set) var entries: [Entry] = []

    /// No fields; allocates nothing.
    public init() {}

    /// Fields of a head that was read: its bytes, and entries that lie inside them.
    init(arena: [UInt8], entries: [Entry]) {
        self.arena = arena
        self.entries = entries
    }

    /// Values of the field, joined with a comma (a semicolon for Cookie), or nil if there are none.
    ///
    /// Setting replaces all lines of that name with one; nil removes them.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard let first = firstIndex(of: name, from: 0) else { return nil }
            guard let second = firstIndex(of: name, from: first + 1) else {
                return value(at: first)
            }
            var text = value(at: first)
            var next: Int? = second
            // RFC 9110 §5.3; RFC 6265 §5.4 joins cookies with a semicolon.
            let separator = name == .cookie ? "; " : ", "
            while let index = next {
                text += separator
                text += value(at: index)
                next = firstIndex(of: name, from: index + 1)
            }
            return text
        }
        set {
            guard let newValue else { return removeAll(named: name) }
            set(HTTPField(name: name, value: newValue))
        }
    }

    /// Values of the field, one for each line.
    ///
    /// Setting replaces all lines of that name.
    public subscript(values name: HTTPField.Name) -> [String] {
        get { indices(of: name).map { value(at: $0) } }
        set {
            removeAll(named: name)
            for value in newValue { append(HTTPField(name: name, value: value)) }
        }
    }

    /// Lines of the field.
    ///
    /// Setting replaces all lines of that name; those with another name are left out.
    public subscript(fields name: HTTPField.Name) -> [HTTPField] {
        get { indices(of: name).map { self[$0] } }
        set {
            removeAll(named: name)
            for field in newValue where field.name == name { append(field) }
        }
    }

    /// Whether there is a line of that name.
    public func contains(_ name: HTTPField.Name) -> Bool {
        firstIndex(of: name, from: 0) != nil
    }

    /// Adds a line at the end.
    public mutating func append(_ field: HTTPField) {
        guard let entry = addLine(field) else { return }
        entries.append(entry)
    }

    /// Removes all lines of that name.
    public mutating func removeAll(named name: HTTPField.Name) {
        guard let first = firstIndex(of: name, from: 0) else { return }
        removeAll(named: name, from: first)
    }

    /// Bytes that the fields occupy, those that no line uses any more included.
    package var byteCount: Int { arena.count }

    /// The bytes of the first line of that name, as they were sent, or nil if there is none.
    package func firstValueBytes(of name: HTTPField.Name) -> ArraySlice<UInt8>? {
        firstIndex(of: name, from: 0).map { arena[entries[$0].valueRange] }
    }

    /// The bytes of the one line of that name, as they were sent; nil if there are none or several.
    package func onlyValueBytes(of name: HTTPField.Name) -> ArraySlice<UInt8>? {
        guard let index = firstIndex(of: name, from: 0),
            firstIndex(of: name, from: index + 1) == nil
        else { return nil }
        return arena[entries[index].valueRange]
    }
}

extension HTTPFields {
    func field(at index: Int) -> HTTPField {
        let name = HTTPField.Name(unchecked: String(ascii: arena.span, entries[index].nameRange))
        return HTTPField(name: name, uncheckedValue: value(at: index))
    }

    func value(at index: Int) -> String {
        String(fieldBytes: arena[entries[index].valueRange])
    }

    mutating func replaceEntries(_ range: Range<Int>, with fields: some Collection<HTTPField>) {
        let added = fields.compactMap { addLine($0) }
        entries.replaceSubrange(range, with: added)
    }

    private func indices(of name: HTTPField.Name) -> [Int] {
        entries.indices.filter { isEntry($0, of: name) }
    }

    private func firstIndex(of name: HTTPField.Name, from start: Int) -> Int? {
        let wantedCount = name.canonicalName.utf8.count
        var index = start
        while index < entries.count {
            if Int(entries[index].nameCount) == wantedCount, isEntry(index, of: name) {
                return index
            }
            index += 1
        }
        return nil
    }

    private func isEntry(_ index: Int, of name: HTTPField.Name) -> Bool {
        arena.span.matches(entries[index].nameRange, lowercased: name.canonicalName)
    }

    private mutating func set(_ field: HTTPField) {
        guard let first = firstIndex(of: field.name, from: 0) else { return append(field) }
        guard let entry = addLine(field) else { return }
        entries[first] = entry
        removeAll(named: field.name, from: first + 1)
        compactIfWasteful()
    }

    private mutating func removeAll(named name: HTTPField.Name, from start: Int) {
        var kept = start
        for index in start..<entries.count where !isEntry(index, of: name) {
            entries[kept] = entries[index]
            kept += 1
        }
        entries.removeSubrange(kept...)
    }

    private mutating func addLine(_ field: HTTPField) -> Entry? {
        addLine(field.name.rawName.utf8, field.value.utf8)
    }

    /// Writes `Name: value CRLF` to the end of the arena.
    ///
    /// Nil, and nothing done, past 4 GiB.
    private mutating func addLine(
        _ name: some Collection<UInt8>, _ value: some Collection<UInt8>
    ) -> Entry? {
        let nameCount = name.count
        let valueCount = value.count
        guard arena.count + nameCount + valueCount + 4 <= Int(UInt32.max) else { return nil }
        let nameStart = arena.count
        arena.append(contentsOf: name)
        arena.append(": ")
        let valueStart = arena.count
        arena.append(contentsOf: value)
        arena.append("\r\n")
        return Entry(
            nameStart: UInt32(nameStart), nameCount: UInt32(nameCount),
            valueStart: UInt32(valueStart), valueCount: UInt32(valueCount))
    }

    // A field that is set over and over would else leave every earlier value behind.
    private mutating func compactIfWasteful() {
        guard arena.count > 4096 else { return }
        let used = entries.reduce(0) { $0 + $1.nameRange.count + $1.valueRange.count + 4 }
        guard used < arena.count / 2 else { return }
        var compact = HTTPFields()
        for entry in entries {
            guard let moved = compact.addLine(arena[entry.nameRange], arena[entry.valueRange])
            else { return }
            compact.entries.append(moved)
        }
        self = compact
    }
}
