import WharfHTTP

/// What the steps of a PROPPATCH come to: all take effect, or none (RFC 4918 §9.2).
package struct PropertyUpdate: Sendable {
    /// Each property that is named, once, and why it can't be changed.
    private var outcomes: [(name: XMLName, failure: HTTPResponse.Status?)] = []
    private var last: [XMLName: PropertyChange] = [:]
    /// The time that the file is to have, in nanoseconds since 1970.
    package private(set) var modificationTime: Int64?

    /// Goes through the steps in their order; what comes later counts.
    package init(_ changes: [PropertyChange]) {
        var places: [XMLName: Int] = [:]
        for change in changes {
            let failure = take(change)
            if let index = places[change.name] {
                outcomes[index].failure = outcomes[index].failure ?? failure
            } else {
                places[change.name] = outcomes.count
                outcomes.append((change.name, failure))
            }
            last[change.name] = change
        }
    }

    /// Whether nothing stands in the way.
    package var isPossible: Bool { outcomes.allSatisfy { $0.failure == nil } }

    /// What is to be kept in the end.
    package var set: [DeadProperty] {
        outcomes.compactMap { outcome in
            guard case .set(_, let markup) = last[outcome.name], !isTime(outcome.name) else {
                return nil
            }
            return DeadProperty(name: outcome.name, markup: markup)
        }
    }

    /// What is to be forgotten.
    package var removed: [XMLName] {
        outcomes.map(\.name).filter { name in
            if case .remove = last[name] { true } else { false }
        }
    }

    /// Writes the `propstat` elements.
    package func write(to writer: inout XMLWriter) {
        let isPossible = isPossible
        var groups: [(status: HTTPResponse.Status, names: [XMLName])] = []
        for outcome in outcomes {
            let status = outcome.failure ?? (isPossible ? .ok : .failedDependency)
            if let index = groups.firstIndex(where: { $0.status.code == status.code }) {
                groups[index].names.append(outcome.name)
            } else {
                groups.append((status, [outcome.name]))
            }
        }
        for group in groups {
            writer.start("propstat")
            writer.start("prop")
            for name in group.names { writer.empty(name) }
            writer.end("prop")
            writer.status(group.status)
            if group.status.code == HTTPResponse.Status.forbidden.code {
                writer.start("error")
                writer.condition(.cannotModifyProtectedProperty)
                writer.end("error")
            }
            writer.end("propstat")
        }
    }

    private mutating func take(_ change: PropertyChange) -> HTTPResponse.Status? {
        guard case .set(let element, _) = change else {
            return Self.isProtected(change.name) ? .forbidden : nil
        }
        switch change.name {
        // What Explorer and others set after an upload: the time that the file has at home.
        case XMLName(namespace: "urn:schemas-microsoft-com:", "Win32LastModifiedTime"),
            .dav("getlastmodified"):
            guard let date = HTTPDate(element.text.trimmed) else { return .conflict }
            // Dates go to the year 9999, 64 bits of nanoseconds to 2262.
            let (time, overflow) = date.unixSeconds.multipliedReportingOverflow(by: 1_000_000_000)
            guard !overflow else { return .conflict }
            modificationTime = time
        // rclone, in seconds since 1970.
        case .dav("lastmodified"):
            guard let seconds = UnixTime(element.text.trimmed) else { return .conflict }
            modificationTime = seconds.nanoseconds
        default:
            return Self.isProtected(change.name) ? .forbidden : nil
        }
        return nil
    }

    // RFC 4918 §15.2: a name for people may be kept; else it is the file's.
    private static func isProtected(_ name: XMLName) -> Bool {
        LiveProperty(name).map { $0 != .displayName } ?? (name.namespace == KeptChecksum.namespace)
    }

    /// Whether it is told by the file itself, and kept nowhere else.
    private func isTime(_ name: XMLName) -> Bool { LiveProperty(name) == .lastModified }
}

extension String {
    fileprivate var trimmed: Substring {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        let start = drop(while: isSpace)
        return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? ""
    }
}
