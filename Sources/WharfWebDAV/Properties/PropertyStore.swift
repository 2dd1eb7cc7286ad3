/// A property that the server keeps for clients without knowing what it means (RFC 4918 §4.1).
package struct DeadProperty: Sendable, Hashable {
    package let name: XMLName
    /// The element, as ``XMLFragment`` writes it.
    package let markup: [UInt8]

    package init(name: XMLName, markup: [UInt8]) {
        self.name = name
        self.markup = markup
    }
}

/// Keeps dead properties.
///
/// Its calls may wait for a disk: they are made on the server's pool. Each takes effect whole or not
/// at all.
package protocol PropertyStore: Sendable {
    /// Whether anybody may have set any.
    var mayHaveAny: Bool { get }
    /// The properties of a resource, in the order of their names.
    func properties(of path: ResourcePath) throws -> [DeadProperty]
    /// The properties of what lies in a folder, of those that have any; `nil` if their markup takes
    /// more bytes than that.
    func properties(ofMembersOf path: ResourcePath, byteCountMax: Int) throws
        -> [ResourcePath: [DeadProperty]]?
    /// Sets some properties of a resource and removes others, which need not be there.
    func change(_ path: ResourcePath, set: [DeadProperty], remove: [XMLName]) throws
    /// Takes the properties of a resource, and of all below, to another place.
    func move(_ path: ResourcePath, to newPath: ResourcePath) throws
    /// Gives another resource the same properties; if deep, so with all below.
    ///
    /// What the other one had is gone.
    func copy(_ path: ResourcePath, to newPath: ResourcePath, isDeep: Bool) throws
    /// Forgets the properties of a resource and of all below.
    func remove(within path: ResourcePath) throws
}

extension ResourcePath {
    /// Where a resource comes to lie when a folder that it is, or lies in, is put elsewhere.
    func moved(from old: ResourcePath, to new: ResourcePath) -> ResourcePath {
        if self == old { return new }
        let rest = bytes.dropFirst(old.isRoot ? 0 : old.bytes.count + 1)
        return new.appending(rest)
    }
}
