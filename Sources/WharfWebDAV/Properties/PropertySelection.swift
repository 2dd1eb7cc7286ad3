/// Which properties of each resource a PROPFIND wants, made ready so that it costs little an entry.
package struct PropertySelection: Sendable {
    /// The live ones, in the order they are written.
    package let live: [LiveProperty]
    /// Those of them that were asked for by their names, and are missed where they aren't.
    package let namedLive: Set<LiveProperty>
    /// Others by their names.
    package let named: [XMLName]
    /// Whether all dead ones are wanted, too.
    package let wantsAllDead: Bool
    /// Whether only their names are.
    package let wantsNamesOnly: Bool
    /// Whether nothing is said of what isn't there (RFC 8144 §2.1).
    package let isBrief: Bool

    package init(_ body: PropfindBody, isBrief: Bool) {
        var names: [XMLName] = []
        var live: [LiveProperty] = []
        switch body {
        case .all(let including):
            live = LiveProperty.usual
            names = including
            wantsAllDead = true
            wantsNamesOnly = false
        case .names:
            live = LiveProperty.allCases
            wantsAllDead = true
            wantsNamesOnly = true
        case .properties(let asked):
            names = asked
            wantsAllDead = false
            wantsNamesOnly = false
        }
        var named: [XMLName] = []
        var namedLive: Set<LiveProperty> = []
        for name in names {
            if let property = LiveProperty(name) {
                namedLive.insert(property)
                if !live.contains(property) { live.append(property) }
            } else {
                named.append(name)
            }
        }
        self.live = live
        self.namedLive = namedLive
        self.named = named
        self.isBrief = isBrief
    }

    /// Whether the store of dead properties has to be asked at all.
    package var wantsDead: Bool {
        // A name for people may be one that somebody has set.
        wantsAllDead || !named.isEmpty || live.contains(.displayName)
            || live.contains(.checksums)
    }

    /// Whether the space of the disk has to be asked for.
    package var wantsQuota: Bool {
        !wantsNamesOnly && (live.contains(.quotaAvailable) || live.contains(.quotaUsed))
    }
}
