/// A dictionary of at most so many entries: the one that was put in first makes room.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let countMax: Int
    private var values: [Key: Value] = [:]
    /// The keys in their order, once it is full as a ring that begins at `oldest`.
    private var keys: [Key] = []
    private var oldest = 0

    /// An empty table; `countMax` is at least 1.
    init(countMax: Int) {
        precondition(countMax > 0, "a table needs room for an entry")
        self.countMax = countMax
    }

    var count: Int { values.count }

    subscript(key: Key) -> Value? { values[key] }

    /// Puts a value in; answers the key that had to make room for it.
    mutating func set(_ value: Value, for key: Key) -> Key? {
        guard values.updateValue(value, forKey: key) == nil else { return nil }
        guard keys.count == countMax else {
            keys.append(key)
            return nil
        }
        let evicted = keys[oldest]
        values[evicted] = nil
        keys[oldest] = key
        oldest = (oldest + 1) % countMax
        return evicted
    }
}
