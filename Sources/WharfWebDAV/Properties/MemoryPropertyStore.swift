import WharfNet

/// Keeps dead properties until the process ends.
package final class MemoryPropertyStore: PropertyStore {
    private let kept = Locked<[ResourcePath: [XMLName: DeadProperty]]>([:])

    package init() {}

    package var mayHaveAny: Bool { kept.withLock { !$0.isEmpty } }

    package func properties(of path: ResourcePath) -> [DeadProperty] {
        kept.withLock { Self.sorted($0[path]) }
    }

    package func properties(
        ofMembersOf path: ResourcePath, byteCountMax: Int
    ) -> [ResourcePath: [DeadProperty]]? {
        // What is handed out shares its bytes with what is kept: there is nothing to bound.
        kept.withLock { kept in
            kept.filter { $0.key.parent == path }.mapValues(Self.sorted)
        }
    }

    package func change(_ path: ResourcePath, set: [DeadProperty], remove: [XMLName]) {
        kept.withLock { kept in
            var properties = kept[path] ?? [:]
            for name in remove { properties[name] = nil }
            for property in set { properties[property.name] = property }
            kept[path] = properties.isEmpty ? nil : properties
        }
    }

    package func move(_ path: ResourcePath, to newPath: ResourcePath) {
        kept.withLock { kept in
            let moving = kept.filter { $0.key.isWithin(path) }
            for key in moving.keys { kept[key] = nil }
            Self.remove(within: newPath, &kept)
            for (key, value) in moving { kept[key.moved(from: path, to: newPath)] = value }
        }
    }

    package func copy(_ path: ResourcePath, to newPath: ResourcePath, isDeep: Bool) {
        kept.withLock { kept in
            let copied = kept.filter { isDeep ? $0.key.isWithin(path) : $0.key == path }
            Self.remove(within: newPath, &kept)
            for (key, value) in copied { kept[key.moved(from: path, to: newPath)] = value }
        }
    }

    package func remove(within path: ResourcePath) {
        kept.withLock { Self.remove(within: path, &$0) }
    }

    private static func remove(
        within path: ResourcePath, _ kept: inout [ResourcePath: [XMLName: DeadProperty]]
    ) {
        kept = kept.filter { !$0.key.isWithin(path) }
    }

    private static func sorted(_ properties: [XMLName: DeadProperty]?) -> [DeadProperty] {
        (properties ?? [:]).values.sorted {
            ($0.name.namespace, $0.name.local) < ($1.name.namespace, $1.name.local)
        }
    }
}
